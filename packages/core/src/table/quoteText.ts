/** Most characters of a value that a message shows. */
const shownLength = 80;

/**
 * A value of an input in quotes, for a message: cut to 80 characters, and with control, format and unpaired characters
 * escaped, so that a hostile file cannot steer the terminal that shows it.
 */
export function quoteText(text: string): string {
  const cut = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return `"${cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
