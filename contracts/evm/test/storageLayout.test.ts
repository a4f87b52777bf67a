import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { compileSources } from "./compileSources.ts";

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
  const { contracts } = await compileSources({}, { "src/VipScore.sol": { VipScore: ["storageLayout"] } });
  return contracts["src/VipScore.sol"].VipScore.storageLayout as Layout;
}

/** The first four cells of the rows of every table in SPEC.md. */
async function documentedRows(): Promise<readonly string[]> {
  const page = await readFile(new URL("../SPEC.md", import.meta.url), "utf8");
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
      [slot, String(offset), `\`${label}\``, `\`${layout.types[type].label}\``].join(" | "),
    );

  it.each([
    ["the contract", () => layout.storage],
    ["a stage", () => Object.values(layout.types).find(({ label }) => label === "struct Stage")!.members!],
  ])("of %s is the one in SPEC.md, row by row", async (_, entries) => {
    const rows = rowsOf(entries());
    const documented = await documentedRows();
    const start = documented.indexOf(rows[0]);
    expect(documented.slice(start, start + rows.length + 1)).toEqual([...rows, documented[start + rows.length]]);
    // The table ends where the layout does.
    expect(documented[start + rows.length]).not.toMatch(/^\d/);
  });

  it("has groups of one word", () => {
    const group = Object.values(layout.types).find(({ label }) => label === "struct Group")!;
    expect(rowsOf(group.members!)).toEqual(["0 | 0 | `amounts` | `uint256`"]);
  });
});
