import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Abi, Hex } from "viem";

/** A contract's ABI and creation code. */
export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const require = createRequire(import.meta.url);
const fileName = "Collections.sol";

/** Compiles Collections.sol; returns its contracts by name. */
export async function compileCollections(): Promise<ReadonlyMap<string, CompiledContract>> {
  const { compile } = require("solc") as { readonly compile: (input: string) => string };
  const input = {
    language: "Solidity",
    sources: { [fileName]: { content: await readFile(new URL(fileName, import.meta.url), "utf8") } },
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const { contracts, errors = [] } = JSON.parse(compile(JSON.stringify(input))) as SolcOutput;
  const faults = errors.filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return new Map(
    Object.entries(contracts[fileName] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  );
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>
    >
  >;
}
