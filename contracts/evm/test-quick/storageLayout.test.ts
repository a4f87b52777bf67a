import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";

const require = createRequire(import.meta.url);
const sources = new URL("../src/", import.meta.url);

interface Entry {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}

interface Layout {
  readonly storage: readonly Entry[];
  readonly types: Readonly<Record<string, { readonly label: string; readonly members?: readonly Entry[] }>>;
}

/** The layout that solc reports for VipScore. */
async function compileLayout(): Promise<Layout> {
  const { compile } = require("solc") as {
    compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
  };
  const contents = new Map<string, string>();
  const names = (await readdir(sources)).filter((name) => name.endsWith(".sol"));
  for (const name of names) contents.set(`src/${name}`, await readFile(new URL(name, sources), "utf8"));
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...contents].map(([name, content]) => [name, { content }])),
    settings: { outputSelection: { "src/VipScore.sol": { VipScore: ["storageLayout"] } } },
  };
  const output = JSON.parse(
    compile(JSON.stringify(input), { import: (path) => ({ contents: readFileSync(require.resolve(path), "utf8") }) }),
  ) as { contracts: { "src/VipScore.sol": { VipScore: { storageLayout: Layout } } } };
  return output.contracts["src/VipScore.sol"].VipScore.storageLayout;
}

/** The first four cells of the rows of every table in docs/spec.md. */
async function documentedRows(): Promise<readonly string[]> {
  const page = await readFile(new URL("../../../docs/spec.md", import.meta.url), "utf8");
  return page
    .split("\n")
    .filter((line) => line.trimStart().startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, 5)
        .map((cell) => cell.trim())
        .join(" | "),
    );
}

describe("the storage layout", () => {
  let layout: Layout;

  beforeAll(async () => {
    layout = await compileLayout();
  });

  const rowsOf = (entries: readonly Entry[]) =>
    entries.map(({ slot, offset, label, type }) =>
      [slot, String(offset), `\`${label}\``, `\`${layout.types[type]!.label}\``].join(" | "),
    );

  it.each([
    ["the contract", () => layout.storage],
    ["a stage", () => Object.values(layout.types).find(({ label }) => label.endsWith(".Stage"))!.members!],
  ])("of %s is the one in docs/spec.md, row by row", async (_, entries) => {
    const rows = rowsOf(entries());
    const documented = await documentedRows();
    const start = documented.indexOf(rows[0]!);
    expect(documented.slice(start, start + rows.length + 1)).toEqual([...rows, documented[start + rows.length]]);
    // The table ends where the layout does.
    expect(documented[start + rows.length]).not.toMatch(/^\d/);
  });

  it("has groups of one word", () => {
    const group = Object.values(layout.types).find(({ label }) => label.endsWith(".Group"))!;
    expect(rowsOf(group.members!)).toEqual(["0 | 0 | `amounts` | `uint256`"]);
  });
});
