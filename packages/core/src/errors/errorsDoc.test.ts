import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes, exitStatusOf, type ErrorCode } from "./errorCodes.ts";

const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
const codes = Object.keys(errorCodes) as ErrorCode[];

/** The part of the page about one exit status. */
function partOf(status: number): string {
  const start = page.indexOf(`\n## Exit status ${status}: `);
  const end = page.indexOf("\n## ", start + 1);
  return start === -1 ? "" : page.slice(start, end);
}

describe("docs/errors.md", () => {
  it.each(codes)("has %s below its exit status, with its meaning and what to do", (code) => {
    expect(partOf(exitStatusOf(code))).toContain(`\n### ${code}\n\n${errorCodes[code].title}. `);
  });

  it("has each code once and no other", () => {
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(codes);
  });
});
