import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** One Markdown file of the repository. */
export interface MarkdownFile {
  /** Path relative to the root of the repository. */
  readonly path: string;
  /** The lines outside fenced code, each with its number from 1. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** Folders that are installed, built or generated. */
const skippedFolders = new Set([
  "node_modules",
  "dist",
  "target",
  "coverage",
  "artifacts",
  "cache",
  "build",
  "testdata",
]);

/** Reads all Markdown files below a folder. */
export function readMarkdownFiles(root: string): readonly MarkdownFile[] {
  return findFiles(root).map((path) => readMarkdown(relative(root, path), readFileSync(path, "utf8")));
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

function findFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) || entry.name.startsWith(".") ? [] : findFiles(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
