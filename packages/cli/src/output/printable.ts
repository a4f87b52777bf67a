/** Characters that move a terminal's cursor, change its colors, or reverse a line's direction. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same, except line feeds and tabs. */
const steeringWithinLines = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text from outside (a node, an indexer, a file, an argument) safe to show within a line: replaces terminal control
 * characters, including line feeds and tabs, by U+FFFD.
 */
export function printableText(text: string): string {
  return text.replace(steering, "\u{FFFD}");
}

/**
 * Makes lines safe to show: like {@link printableText}, but keeps line feeds and tabs. Adds a backslash to text that a CI
 * system would run as a command (`::error::`, `##[error]`, `##vso[…]`).
 */
export function printableLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(steeringWithinLines, "\u{FFFD}")
    .replace(/^[^\S\n]*::/gm, (mark) => `${mark.slice(0, -2)}\\::`)
    .replace(/##(?=\w*\[)/g, "#\\#");
}

/** Characters that JSON does not escape and a terminal would obey: DEL, C1 controls, and those that reverse a line. */
const unescaped = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Returns JSON with bigints as decimal strings, because a u64 does not fit a JavaScript number, times in ISO form, undefined
 * as null, and every text passed through `clean`. Escapes control characters of terminals and commands of CI systems, so that the text can be printed.
 */
export function toJson(value: object, clean: (text: string) => string): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (item === undefined) return null;
    if (typeof item === "bigint") return item.toString();
    return typeof item === "string" ? clean(item) : item;
  });
  return text.replace(unescaped, escapeUnits).replace(/##(?=\w*\[)/g, "\\u0023#");
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** Returns a word of a command to copy, in quotes if the shell would read anything else than the word. */
export function shellWord(word: string): string {
  return /^[\w./][\w./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
