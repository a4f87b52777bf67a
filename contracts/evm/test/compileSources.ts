import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const sources = new URL("../src/", import.meta.url);

interface Compiled {
  readonly contracts: unknown;
  /** Warnings are among them. */
  readonly errors?: readonly { readonly severity: string; readonly type: string; readonly message: string }[];
}

/** Compiles the contract's sources and others, by their paths, with solc itself. */
export async function compileSources(
  others: Readonly<Record<string, string>>,
  outputSelection: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
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
    settings: { outputSelection },
  };
  const output = compile(JSON.stringify(input), {
    import: (path) => ({ contents: readFileSync(require.resolve(path), "utf8") }),
  });
  return JSON.parse(output) as Compiled;
}
