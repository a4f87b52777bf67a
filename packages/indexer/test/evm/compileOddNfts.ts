import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Abi, Hex } from "viem";

/** A contract of OddNfts.sol. */
export interface OddContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const require = createRequire(createRequire(import.meta.url).resolve("@vipscore/contracts-evm/hardhat.config.ts"));
const fileName = "OddNfts.sol";

/** Compiles OddNfts.sol with the compiler that contracts/evm uses. */
export async function compileOddNfts(): Promise<Readonly<Record<string, OddContract>>> {
  const { compile } = require("solc") as { compile: (input: string) => string };
  const input = {
    language: "Solidity",
    sources: { [fileName]: { content: await readFile(new URL(fileName, import.meta.url), "utf8") } },
    settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
  };
  const output = JSON.parse(compile(JSON.stringify(input))) as SolcOutput;
  const faults = (output.errors ?? []).filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.entries(output.contracts[fileName] ?? {}).map(([name, { abi, evm }]) => [
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
