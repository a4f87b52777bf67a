/** Marks what only a person can write. The outlines of Initia's forum mark it with `[insert …]` too. */
export function gap(what: string): string {
  return `**[insert: ${what.replaceAll(/[[\]|*]/g, "")}]**`;
}

/** Returns what is missing in a post, in its order, each once. */
export function postGaps(post: string): readonly string[] {
  return [...new Set([...post.matchAll(/\*\*\[insert: ([^\]]*)\]\*\*/g)].map(([, what = ""]) => what))];
}

/** Returns a list of fields; one without a value is a gap. */
export function fieldList(fields: readonly (readonly [name: string, value?: string | undefined])[]): string {
  return fields.map(([name, value = gap(name)]) => `- ${name}: ${value}`).join("\n");
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => plainMarkdown(escapeMarkdown(cell.replaceAll("\n", " ")))).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Returns text as a block of code, which ends only with its last line. */
export function codeBlock(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${escapeMarkdown(text.trim())}\n${fence}`;
}

/**
 * Returns text as a Markdown quotation. No table, heading or HTML in it can pass for part of the post around it: the quotation
 * ends with its lines, and `|` and `<` stand for themselves.
 */
export function quoteMarkdown(text: string): string {
  return escapeMarkdown(text.trim())
    .split("\n")
    .map((line) => `> ${plainMarkdown(line)}`.trimEnd())
    .join("\n");
}

/** Escapes what starts a table's cell or HTML. A backslash before it must not undo that. */
export function plainMarkdown(line: string): string {
  return line.replaceAll(/\\*[|<]/g, (mark) => `${"\\".repeat(2 * (mark.length - 1) + 1)}${mark.at(-1)}`);
}

/**
 * Makes text of several lines readable as what it is: control characters, except line feeds, and marks that reverse or hide text
 * become their code, such as `\u{202e}`.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
