import { escapeText } from "../../output/escapeText.ts";

/**
 * Returns text as a Markdown quotation. No table, heading or HTML in it can pass for part of the post around it: the quotation
 * ends with its lines, and `|` and `<` stand for themselves.
 */
export function quoteMarkdown(text: string): string {
  return escapeText(text.trim())
    .split("\n")
    .map((line) => `> ${plainMarkdown(line)}`.trimEnd())
    .join("\n");
}

/** Escapes what starts a table's cell or HTML. A backslash before it must not undo that. */
export function plainMarkdown(line: string): string {
  return line.replaceAll(/\\*[|<]/g, (mark) => `${"\\".repeat(2 * (mark.length - 1) + 1)}${mark.at(-1)}`);
}
