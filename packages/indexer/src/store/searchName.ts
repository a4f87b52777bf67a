/**
 * The part of a name that is searched: its letters, marks and digits in lower case. As a real indexer does it
 * (initia-labs/rollytics, `api/handler/nft/cache.go`), character by character, which a database or a whole text would do
 * otherwise for some (the last Σ of a word, İ).
 */
export function searchName(name: string): string {
  const [...characters] = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return characters.map((character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join("");
}
