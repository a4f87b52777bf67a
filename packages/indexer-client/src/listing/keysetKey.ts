/**
 * Returns the key of the page after a row: base64 of its height and token ID as JSON. The server then seeks the row
 * instead of counting rows from the start (recorded from a real indexer). Such pages neither repeat nor miss rows while
 * tokens move.
 */
export function keysetKey(row: { readonly height: number; readonly nft: { readonly token_id: string } }): string {
  const json = JSON.stringify({ height: row.height, token_id: row.nft.token_id });
  // btoa only accepts characters up to 255, so bytes are passed as characters.
  return btoa(String.fromCharCode(...new TextEncoder().encode(json)));
}
