import type { NftToken } from "../tokens.ts";
import type { CollectionReader, RowFound } from "./collectionReader.ts";
import type { LedgerKey, TokenLedger } from "./tokenLedger.ts";

/**
 * Removes burned tokens from the ledger: the only sign is that their rows are gone from the listing.
 *
 * Rows before the first missing row keep their positions, so a binary search finds it, and one page shows what follows.
 * Each token missing there is looked up by its ID, as it may have moved instead.
 *
 * @param most How many are missing; the search ends after that many.
 * @returns How many were removed.
 * @throws IndexerRequestError; the signal's reason when aborted.
 */
export async function removeBurned(reader: CollectionReader, ledger: TokenLedger, most: number): Promise<number> {
  const { limit } = reader;
  const keys = ledger.keys();
  const isAt = (row: RowFound, key: LedgerKey | undefined): boolean =>
    typeof key === "string" ? isToken(row, key) && row.height === ledger.heightOf(key) : row === "unreadable";
  const missing: LedgerKey[] = [];
  let start = 0;
  while (missing.length < most && start < keys.length) {
    // If many are missing, reading all pages takes fewer requests.
    const pages = (keys.length - start) / limit;
    const isSparse = (most - missing.length) * Math.log2(pages) < pages;
    let end = isSparse ? keys.length : start + limit;
    while (end - start > limit) {
      const middle = Math.floor((start + end) / 2);
      if (isAt(await reader.rowAt(middle - missing.length), keys[middle])) start = middle;
      else end = middle;
    }
    if (typeof keys[start] !== "string") {
      const key = keys[start];
      if (key !== undefined && !isAt(await reader.rowAt(start - missing.length), key)) missing.push(key);
      start += 1;
      continue;
    }
    // A page cannot include an unreadable row.
    const next = keys.slice(start, start + limit).findIndex((key) => typeof key !== "string");
    const rows = await readRows(reader, start - missing.length, next < 0 ? limit : next);
    if (rows === undefined) {
      // The ledger's next unreadable row has moved up to here: everything before it is gone.
      if (next < 0) break;
      missing.push(...keys.slice(start, start + next));
      start += next;
      continue;
    }
    let matched = 0;
    while (start < keys.length && missing.length < most && (matched < rows.length || rows.length === 0)) {
      const key = keys[start];
      const row = rows[matched];
      if (key === undefined || typeof key !== "string") break;
      if (row !== undefined && ledger.heightOf(row.nft.token_id) !== row.height) {
        // It has changed: rows after the ledger's last row are read next.
        matched += 1;
        continue;
      }
      if (isAt(row, key)) matched += 1;
      else missing.push(key);
      start += 1;
    }
  }
  let removed = 0;
  for (const key of missing) {
    if (typeof key === "string" && (await reader.token(key)) !== undefined) continue;
    ledger.remove(key);
    removed += 1;
  }
  return removed;
}

function isToken(row: RowFound, tokenId: string): row is NftToken {
  return typeof row === "object" && row.nft.token_id === tokenId;
}

/** The readable rows from a position on; undefined if the first one is unreadable. */
async function readRows(
  reader: CollectionReader,
  offset: number,
  limit: number,
): Promise<readonly NftToken[] | undefined> {
  for (let size = limit; ; size = Math.ceil(size / 2)) {
    const rows = await reader.rowsAt(offset, size);
    if (rows !== undefined || size === 1) return rows;
  }
}
