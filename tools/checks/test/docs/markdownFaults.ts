import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { readMarkdown, type MarkdownFile } from "./markdownFile.ts";

/** Inline links and images, and definitions of reference links; the target is the first or the second group. */
const link = /\]\(<?([^\s()<>]+(?:\([^\s()]*\))?)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+<?([^\s<>]+)>?/g;

/**
 * Returns the broken relative links of a file as `path:line  target  reason`: the file or folder is missing, or it has
 * no heading with the anchor. Links to other sites are not checked.
 */
export function findBrokenLinks(root: string, file: MarkdownFile): readonly string[] {
  return file.lines.flatMap(({ number, text }) =>
    [...withoutCode(text).matchAll(link)].flatMap(([, inline, reference]) => {
      const target = inline ?? reference ?? "";
      const reason = /^[a-z][a-z+.-]*:/i.test(target) ? undefined : checkTarget(root, file, target);
      return reason === undefined ? [] : [`${file.path}:${number}  ${target}  ${reason}`];
    }),
  );
}

function checkTarget(root: string, file: MarkdownFile, target: string): string | undefined {
  const [path = "", anchor] = decodeURI(target).split("#");
  const isSamePage = path === "";
  const found = isSamePage ? file.path : normalize(join(dirname(file.path), path));
  if (found.startsWith("..")) return "is outside of the repository";
  if (!isSamePage && !existsSync(join(root, found))) return "is missing";
  if (anchor === undefined || /^L\d+/.test(anchor)) return undefined;
  const page = isSamePage ? file : readPage(root, found);
  return page === undefined || listAnchors(page).has(anchor) ? undefined : "has no such heading";
}

/** Undefined if the target is not a page with headings. */
function readPage(root: string, path: string): MarkdownFile | undefined {
  const file = statSync(join(root, path)).isDirectory() ? join(path, "README.md") : path;
  return file.endsWith(".md") ? readMarkdown(file, readFileSync(join(root, file), "utf8")) : undefined;
}

/** Returns the anchors that GitHub gives to the headings of a page; a repeated anchor gets a number. */
export function listAnchors(file: MarkdownFile): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of file.lines) {
    for (const [, id] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id ?? "");
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(text) ?? [];
    if (heading === undefined) continue;
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let name = anchor;
    for (let repeat = 1; anchors.has(name); repeat += 1) name = `${anchor}-${repeat}`;
    anchors.add(name);
  }
  return anchors;
}

function withoutCode(line: string): string {
  return line.replaceAll(/`[^`]*`/g, (code) => "`".padEnd(code.length, "`"));
}

/** Maximum characters in a table cell; longer text is prose, which does not belong in a table. */
export const maxCellLength = 200;

/** Returns the table cells of a file that are too long, as `path:line  length`. */
export function findLongCells(file: MarkdownFile): readonly string[] {
  return file.lines.flatMap(({ number, text }) => {
    if (!text.startsWith("|")) return [];
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (cells.every((cell) => /^:?-*:?$/.test(cell))) return [];
    const longest = Math.max(...cells.map((cell) => cell.length));
    return longest > maxCellLength ? [`${file.path}:${number}  ${longest}`] : [];
  });
}
