/**
 * A text of a chain's as it can be shown: anybody may name a token, so what would move a terminal's cursor or turn the direction
 * of a line is replaced.
 */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}
