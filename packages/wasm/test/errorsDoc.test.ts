import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contractErrors } from "../src/contractErrors.ts";

const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");

/** The Wasm column of the row of a code. */
function columnOf(code: string): string | undefined {
  const rows = page.split("\n").filter((line) => line.startsWith(`| \`${code}\` `));
  return rows.map((line) => line.split("|")[4]).find((column) => column !== undefined && column.trim() !== "");
}

it.each(contractErrors)("docs/errors.md has $variant as $code", ({ variant, code }) => {
  expect(columnOf(code)).toContain(`\`${variant}\``);
});

it("docs/errors.md has no variant in the Wasm column that is not known", () => {
  const start = page.indexOf("## On the wire");
  const table = page
    .slice(start, page.indexOf("\n## ", start + 1))
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const listed = table.flatMap((line) => [...(line.split("|")[4] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(new Set(listed)).toEqual(new Set(contractErrors.map(({ variant }) => variant)));
});
