/** What moves a terminal's cursor, changes its colors, or turns the direction of a line. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same, but for line feeds and tabs. */
const steeringWithinLines = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside (a node, an indexer, a file, an argument) as it can be shown within a line: what would steer a terminal is
 * replaced by U+FFFD, line feeds and tabs too.
 */
export function printableText(text: string): string {
  return text.replace(steering, "\u{FFFD}");
}

/**
 * Lines as they can be shown: like {@link printableText}, but they stay lines. A line that a CI system would take for a command
 * to it (`::error::`, `##[error]`, `##vso[…]`) gets a backslash into that mark.
 */
export function printableLines(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(steeringWithinLines, "\u{FFFD}")
    .replace(/^[^\S\n]*::/gm, (mark) => `${mark.slice(0, -2)}\\::`)
    .replace(/##(?=\w*\[)/g, "#\\#");
}
