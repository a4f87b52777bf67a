import { join } from "node:path";
import { expect, it } from "vitest";
import { listTypescriptBlocks, typescriptFaults } from "./typescriptBlocks.ts";

const root = join(import.meta.dirname, "../../../..");
const given = join(import.meta.dirname, "given/examples.d.ts");
const path = join(root, "docs/example.ts");

it("every TypeScript block of the documentation is correct", () => {
  const blocks = listTypescriptBlocks(root);
  const places = blocks.map(({ place }) => place.replace(/:\d+$/, ""));
  expect(places).toEqual(expect.arrayContaining(["README.md", "packages/core/README.md", "packages/l1/README.md"]));
  expect(typescriptFaults(blocks, given)).toEqual([]);
});

it("a wrong block is found by its file and line", () => {
  const text = 'import { stage } from "@vipscore/core";\n\nstage(true);\nunknownName();\n';
  expect(typescriptFaults([{ place: "docs/example.md:7", path, text }], given)).toEqual([
    expect.stringMatching(/^docs\/example\.md:7 {2}line 3: .*boolean/),
    expect.stringMatching(/^docs\/example\.md:7 {2}line 4: .*unknownName/),
  ]);
});
