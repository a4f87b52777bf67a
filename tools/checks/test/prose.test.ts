import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPhrases, readGlossary } from "../src/prose/glossary.ts";

const glossary = [{ phrase: "as yet", instead: "so far" }];
const found = (path: string, text: string): readonly string[] => findPhrases(path, text, glossary);

describe("readGlossary", () => {
  it("reads the phrases in backticks of the left column", () => {
    const text = "# Words\n\n### Glossary\n\n| not | but |\n| --- | --- |\n| `a b`, `c` | `d` |\n| e | f |\n";
    expect(readGlossary(text)).toEqual([
      { phrase: "a b", instead: "`d`" },
      { phrase: "c", instead: "`d`" },
    ]);
  });

  it("finds phrases in the guidelines", () => {
    const guidelines = readFileSync(join(import.meta.dirname, "../../../docs/guidelines.md"), "utf8");
    expect(readGlossary(guidelines)).toContainEqual({ phrase: "of its own", instead: "its own" });
  });

  it("refuses guidelines without a glossary", () => {
    expect(() => readGlossary("# Guidelines\n")).toThrow(/glossary/);
  });
});

describe("findPhrases", () => {
  it("reports the line and what to write instead", () => {
    expect(found("page.md", "One.\n\nThere is As yet no one.")).toEqual(["page.md:3  as yet  use: so far"]);
  });

  it("ignores code in Markdown", () => {
    expect(found("page.md", "`as yet`\n```ts\n// as yet\n```\nis-as yet, as yeti")).toEqual([]);
  });

  it.each([
    ["a line comment", 'const a = "as yet"; // as yet'],
    ["a comment of two lines", "// Empty as\n  // yet."],
    ["a docstring", "/**\n * Empty as\n * yet.\n */"],
    ["a docstring of Rust", "/// Empty as\n/// yet."],
  ])("reads %s", (_, text) => {
    expect(found("a.ts", text)).toHaveLength(1);
  });

  it.each([
    ["code", "const text = `as yet`; const other = 'as yet';"],
    ["an address", 'const url = "https://as yet";'],
    ["a phrase that code divides", "/* as */ const a = 1; /* yet */"],
  ])("ignores %s", (_, text) => {
    expect(found("a.ts", text)).toEqual([]);
  });
});
