import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../listFiles.ts";

/** One Markdown file of the repository. */
export interface MarkdownFile {
  /** Path relative to the root of the repository. */
  readonly path: string;
  /** The lines outside fenced code, each with its number from 1. */
  readonly lines: readonly MarkdownLine[];
  readonly blocks: readonly CodeBlock[];
}

interface MarkdownLine {
  readonly number: number;
  readonly text: string;
}

/** Fenced code. */
export interface CodeBlock {
  /** The word after the opening fence, or an empty text. */
  readonly language: string;
  /** Number of the opening fence's line. */
  readonly number: number;
  /** The lines between the fences, each with its end. */
  readonly text: string;
}

/** Reads all Markdown files below a folder. */
export function readMarkdownFiles(root: string): readonly MarkdownFile[] {
  return listFiles(root, [".md"]).map((path) => readMarkdown(path, readFileSync(join(root, path), "utf8")));
}

/** Parses the text of one Markdown file. */
export function readMarkdown(path: string, text: string): MarkdownFile {
  const lines: MarkdownLine[] = [];
  const blocks: CodeBlock[] = [];
  let open: { readonly fence: string; readonly block: CodeBlock } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const number = index + 1;
    const [, fence, language = ""] = /^\s*(```+|~~~+)(\w*)/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === undefined) lines.push({ number, text: line });
      else open = { fence, block: { language, number, text: "" } };
    } else if (fence?.startsWith(open.fence) === true) {
      blocks.push(open.block);
      open = undefined;
    } else {
      open = { ...open, block: { ...open.block, text: `${open.block.text}${line}\n` } };
    }
  }
  return { path, lines, blocks };
}
