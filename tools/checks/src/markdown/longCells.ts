import type { MarkdownFile } from "./markdownFile.ts";

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
