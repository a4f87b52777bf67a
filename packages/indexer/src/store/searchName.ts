/**
 * Returns the searched part of a name: its letters, marks and digits in lowercase. Works like a real indexer
 * (initia-labs/rollytics, `api/handler/nft/cache.go`), character by character; a database, or lowercasing the whole
 * text, would differ for some (final Σ, İ).
 */
export function searchName(name: string): string {
  const [...characters] = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return characters.map((character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join("");
}
