/** Maximum number of characters of a value that a message shows. */
const shownLength = 80;

/**
 * Hex digits that may be a private key: more than a 20-byte address has; fewer than a key is enough, as it may be cut off. A
 * number has no letters.
 */
const keyLike = /(?<![0-9a-f])(?=[0-9]*[a-f])[0-9a-f]{48,}/gi;

/** Words that may be a mnemonic, which has 12 or more. */
const phraseLike = /(?<!\p{L})\p{L}{3,}(?:[\s,_-]+\p{L}{3,}){11,}/gu;

/**
 * Quotes a value of an input for a message: cut to 80 characters, with control, format and unpaired characters
 * escaped, so that a hostile file cannot control the terminal. Text that may be a private key or a mnemonic in the wrong
 * place is left out, except for the first and last four hex digits.
 */
export function quoteText(text: string): string {
  const shown = text.replace(keyLike, (digits) => `${digits.slice(0, 4)}…${digits.slice(-4)}`).replace(phraseLike, "…");
  const cut = shown.length > shownLength ? `${shown.slice(0, shownLength)}…` : shown;
  return `"${cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
