/** More hex digits than an address of 20 bytes: a private key, possibly truncated, or an address of 32 bytes. */
const digits = /[0-9a-f]{48,}/gi;

/** Twelve words or more, as in a mnemonic. */
const phrase = /(?<!\p{L})\p{L}{3,}(?:[\s,_-]+\p{L}{3,}){11,}/gu;

/** Returns the parts of a text that look like a private key or a mnemonic. */
export function keyLikeParts(text: string): readonly string[] {
  return [...text.matchAll(digits), ...text.matchAll(phrase)].map(([part]) => part);
}
