import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPhrases } from "../src/prose/findPhrases.ts";
import { readGlossary } from "../src/prose/glossary.ts";

const glossary = [{ phrase: "for ever", instead: "permanently" }];
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
    expect(() => readGlossary("# Guidelines\n")).toThrow("no glossary");
  });
});

describe("findPhrases", () => {
  it("reports the line and what to write instead", () => {
    expect(found("page.md", "One.\n\nIt stays For ever.")).toEqual(["page.md:3  for ever  use: permanently"]);
  });

  it("ignores code in Markdown", () => {
    expect(found("page.md", "`for ever`\n```ts\n// for ever\n```\nwaits-for ever, for everyone")).toEqual([]);
  });

  it.each([
    ["a line comment", 'const a = "for ever"; // for ever'],
    ["a comment of two lines", "// It stays for\n  // ever."],
    ["a docstring", "/**\n * It stays for\n * ever.\n */"],
    ["a docstring of Rust", "/// It stays for\n/// ever."],
  ])("reads %s", (_, text) => {
    expect(found("a.ts", text)).toHaveLength(1);
  });

  it.each([
    ["code", "const text = `for ever`; const other = 'for ever';"],
    ["an address", 'const url = "https://for ever";'],
    ["a phrase that code divides", "/* for */ const a = 1; /* ever */"],
  ])("ignores %s", (_, text) => {
    expect(found("a.ts", text)).toEqual([]);
  });
});
