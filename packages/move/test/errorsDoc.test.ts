import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { abortErrors } from "../src/abortCodes.ts";

const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");

it.each(abortErrors)("docs/errors.md has the abort $abort as $code", ({ abort, code }) => {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${code}\` `));
  expect(row?.split("|")[3]).toContain(`\`0x${abort.toString(16)}\``);
});

it("docs/errors.md has no abort code that is not known", () => {
  const listed = [...page.matchAll(/`(0x[0-9a-f]{5})`/g)].map(([, abort]) => Number(abort));
  expect(new Set(listed)).toEqual(new Set(abortErrors.map(({ abort }) => abort)));
});
