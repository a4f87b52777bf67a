import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../sources/listFiles.ts";

/** One Markdown file of the repository. */
export interface MarkdownFile {
  /** Path relative to the root of the repository. */
  readonly path: string;
  /** The lines outside fenced code, each with its number from 1. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** Reads all Markdown files below a folder. */
export function readMarkdownFiles(root: string): readonly MarkdownFile[] {
  return listFiles(root, [".md"]).map((path) => readMarkdown(path, readFileSync(join(root, path), "utf8")));
}

/** Parses the text of one Markdown file. */
export function readMarkdown(path: string, text: string): MarkdownFile {
  let fence: string | undefined;
  const lines = text.split("\n").flatMap((line, index) => {
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence === undefined && mark === undefined) return [{ number: index + 1, text: line }];
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    return [];
  });
  return { path, lines };
}
