import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Abi } from "viem";

const require = createRequire(import.meta.url);
const sources = new URL("../src/", import.meta.url);

interface Compiled {
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Output>>>>;
  /** Warnings are among them. */
  readonly errors?: readonly { readonly severity: string; readonly type: string; readonly message: string }[];
}

/** What was selected of a contract. */
interface Output {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
  readonly storageLayout: unknown;
}

/** Settings that generate code in a third of the time. */
export const quickSettings = {
  evmVersion: "cancun",
  viaIR: true,
  optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u" } } },
} as const;

/** Compiles the contract's sources and others, by their paths, with solc itself. */
export async function compileSources(
  others: Readonly<Record<string, string>>,
  outputSelection: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Compiled> {
  const { compile } = require("solc") as {
    compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
  };
  const contents = new Map(Object.entries(others));
  const names = (await readdir(sources)).filter((name) => name.endsWith(".sol"));
  for (const name of names) contents.set(`src/${name}`, await readFile(new URL(name, sources), "utf8"));
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...contents].map(([name, content]) => [name, { content }])),
    settings: { ...settings, outputSelection },
  };
  const output = compile(JSON.stringify(input), {
    import: (path) => ({ contents: readFileSync(require.resolve(path), "utf8") }),
  });
  return JSON.parse(output) as Compiled;
}
