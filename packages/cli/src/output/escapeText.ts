/**
 * Makes text of several lines readable as what it is: control characters, except line feeds, and marks that reverse or hide text
 * become their code, such as `\u{202e}`.
 */
export function escapeText(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
