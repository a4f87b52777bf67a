import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Abi, Hex } from "viem";

/** A contract's ABI and creation code. */
export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const require = createRequire(import.meta.url);

/**
 * Compiles a Solidity file, which imports files of packages; returns its contracts by name.
 *
 * @throws Error with the compiler's messages.
 */
export async function compileSolidity(file: URL): Promise<Readonly<Record<string, CompiledContract>>> {
  const { compile } = require("solc") as { readonly compile: (input: string, callbacks: object) => string };
  const path = fileURLToPath(file);
  const input = {
    language: "Solidity",
    sources: { [path]: { content: await readFile(file, "utf8") } },
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const { contracts, errors = [] } = JSON.parse(compile(JSON.stringify(input), { import: readImport })) as SolcOutput;
  const faults = errors.filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.entries(contracts[path] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}

const readImport = (name: string) => ({ contents: readFileSync(require.resolve(name), "utf8") });

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>
    >
  >;
}
