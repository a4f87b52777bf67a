import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBrokenLinks, findLongCells, listAnchors, maxCellLength } from "./markdownFaults.ts";
import { readMarkdown, readMarkdownFiles } from "./markdownFile.ts";

const root = join(import.meta.dirname, "../../../..");
const files = readMarkdownFiles(root);

it("finds the pages of the repository", () => {
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["README.md", "docs/cli/push.md", "packages/core/README.md"]));
});

describe.each(files.map((file) => [file.path, file] as const))("%s", (_, file) => {
  it("has no broken link", () => {
    expect(findBrokenLinks(root, file)).toEqual([]);
  });

  it(`has no table cell over ${maxCellLength} characters`, () => {
    expect(findLongCells(file)).toEqual([]);
  });
});

it("each file and answer that somebody believes has a test", () => {
  const page = files.find(({ path }) => path === "docs/security.md");
  const texts = page?.lines.map(({ text }) => text) ?? [];
  const section = texts.slice(texts.indexOf("## What one party writes and another believes") + 1);
  const rows = section
    .slice(
      0,
      section.findIndex((text) => text.startsWith("## ")),
    )
    .filter((text) => /^\| [^-]/.test(text));
  expect(rows.length).toBeGreaterThan(10);
  // That the linked files are there is checked above.
  for (const row of rows.slice(1)) expect(row).toMatch(/\]\([\w./-]+\.test\.ts\)[^|]*\|$/);
});

describe("findBrokenLinks", () => {
  const broken = (text: string): readonly string[] => findBrokenLinks(root, readMarkdown("docs/page.md", text));

  it("accepts files, folders, headings and other sites", () => {
    const text = "# Here\n[a](../README.md#install) [b](../packages/core) [c](#here) [d](https://example.org/x)";
    expect(broken(text)).toEqual([]);
  });

  it("reports what is missing, with its line", () => {
    expect(broken("\n[a](gone.md) ![b](gone.svg)\n[c](../README.md#gone)\n[d]: ../gone.md")).toEqual([
      "docs/page.md:2  gone.md  is missing",
      "docs/page.md:2  gone.svg  is missing",
      "docs/page.md:3  ../README.md#gone  has no such heading",
      "docs/page.md:4  ../gone.md  is missing",
    ]);
  });

  it("ignores code", () => {
    expect(broken("`[a](gone.md)`\n```\n[b](gone.md)\n```\n")).toEqual([]);
  });
});

it("readMarkdown separates code blocks from the lines around them", () => {
  const page = readMarkdown("page.md", "a\n```ts\nb\n```\nc\n~~~~\n```\nd\n~~~~\n```sh\ne\n```\n");
  expect(page.lines.map(({ number, text }) => `${number} ${text}`)).toEqual(["1 a", "5 c", "13 "]);
  expect(page.blocks).toEqual([
    { language: "ts", number: 2, text: "b\n" },
    { language: "", number: 6, text: "```\nd\n" },
    { language: "sh", number: 10, text: "e\n" },
  ]);
});

it("listAnchors names headings as GitHub does", () => {
  const page = readMarkdown("page.md", "# `--json` and [links](x.md)\n## Twice\n## Twice\n### STAGE_ZERO\n");
  expect([...listAnchors(page)]).toEqual(["--json-and-links", "twice", "twice-1", "stage_zero"]);
});

it("findLongCells counts the characters between the bars", () => {
  const cell = "x".repeat(maxCellLength);
  expect(findLongCells(readMarkdown("page.md", `| ${cell} |\n| ${cell}x |\n| ${"-".repeat(300)} |`))).toEqual([
    "page.md:2  201",
  ]);
});
