import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ErrorCode } from "@vipscore/core";

/** A contract's error as written in docs/errors.md, and the client's code for it. */
interface WireError {
  readonly text: string;
  readonly code: ErrorCode;
}

/** Columns that list all errors of a VM; that of EVM omits errors that the client never causes. */
const columns = { move: 3, wasm: 4 };
type Listed = keyof typeof columns;

/** Reads a VM's texts in the table of the contracts' errors, by code. */
function readTexts(vm: Listed): readonly { readonly code: string; readonly texts: readonly string[] }[] {
  const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
  const start = page.indexOf("## On the wire");
  const table = page.slice(start, page.indexOf("\n## ", start + 1));
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => {
    const cells = row.split("|").map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text));
    return { code: cells[1]?.[0] ?? "", texts: cells[columns[vm]] ?? [] };
  });
}

/** Registers the tests that docs/errors.md lists the errors of a VM's contract, and no others. */
export function testErrorsDoc(vm: Listed, errors: readonly WireError[]): void {
  const rows = readTexts(vm);

  test.each([...errors])("docs/errors.md has $text of the contract, as $code", ({ text, code }) => {
    const codes = rows.filter(({ texts }) => texts.includes(text)).map((row) => row.code);
    expect(codes).toEqual([code]);
  });

  test("docs/errors.md has no error that the contract does not have", () => {
    expect(new Set(rows.flatMap(({ texts }) => texts))).toEqual(new Set(errors.map(({ text }) => text)));
  });
}
