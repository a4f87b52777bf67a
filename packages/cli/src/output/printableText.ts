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
