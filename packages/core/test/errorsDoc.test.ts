import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { errorCodes, exitStatusOf, type ErrorCode } from "../src/errors/errorCodes.ts";

const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
const codes = Object.keys(errorCodes) as ErrorCode[];

describe("docs/errors.md", () => {
  it.each(codes)("lists %s with its exit status and meaning, and says what to do", (code) => {
    const row = new RegExp(
      String.raw`^\| \[\x60${code}\x60\]\(#${code.toLowerCase()}\) +\| ${exitStatusOf(code)} +\| (.*?) +\|$`,
      "m",
    );
    expect(row.exec(page)?.[1]).toBe(errorCodes[code].title);
    expect(page).toContain(`\n### ${code}\n\n${errorCodes[code].title}.`);
  });

  it("lists no code that does not exist", () => {
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(codes);
  });
});
