import type { IndexerServerError } from "../http/indexerErrors.ts";
import { keysetKey } from "../listing/keysetKey.ts";
import type { NftToken } from "../tokens.ts";
import { isUnreadable, type CollectionReader } from "./collectionReader.ts";
import type { TokenLedger, TokenPlace } from "./tokenLedger.ts";

/** More unreadable rows than this in a row mean that the server fails. */
const maxInARow = 20;

/**
 * Skips a row that the server cannot serve and that follows the ledger's last readable row. The row is added to the
 * ledger unless it is already there.
 *
 * If rows are counted from the start, a token that moves shifts all rows after it. So a row beyond the unreadable one
 * is found by its position, and then the rows in between are read backward, by keyset, until the server fails again.
 *
 * @param error The server's answer to a page with only that row; undefined if the ledger has the row.
 * @returns The readable rows from the unreadable one to the one that was found, ascending.
 * @throws The error if more than 20 rows in a row are unreadable.
 */
export async function stepOver(
  reader: CollectionReader,
  ledger: TokenLedger,
  error?: IndexerServerError,
): Promise<readonly NftToken[]> {
  let found: NftToken | undefined;
  let unreadable = 1;
  if (error !== undefined) {
    for (; ; unreadable += 1) {
      if (unreadable > maxInARow) throw error;
      const row = await reader.rowAt(ledger.size + unreadable);
      if (row === "unreadable") continue;
      found = row;
      break;
    }
  }
  const { rows, isMet } = await readBelow(reader, ledger, found);
  if (error !== undefined && isMet) {
    const after = ledger.last ?? null;
    const before = rows[0] === undefined ? null : { height: rows[0].height, tokenId: rows[0].nft.token_id };
    const tokenIds = await confirmIds(reader, after, before, unreadable);
    for (let index = 0; index < unreadable; index += 1) {
      ledger.placeUnreadable({ tokenId: tokenIds[index] ?? null, after, before, error });
    }
  }
  return rows;
}

/**
 * The rows from the one that was found, or from the last one, back to an unreadable row or a row of the ledger;
 * ascending. `isMet` is false if there is no unreadable row anymore.
 */
async function readBelow(
  reader: CollectionReader,
  ledger: TokenLedger,
  found: NftToken | undefined,
): Promise<{ readonly rows: readonly NftToken[]; readonly isMet: boolean }> {
  const rows: NftToken[] = found === undefined ? [] : [found];
  let key = found && keysetKey(found);
  let size = 1;
  let growth = 2;
  for (;;) {
    try {
      const { items, nextKey } = await reader.pageBelow({ key, limit: size });
      for (const row of items) {
        if (ledger.has(row)) return { rows: rows.reverse(), isMet: false };
        rows.push(row);
      }
      if (nextKey === null) return { rows: rows.reverse(), isMet: false };
      key = nextKey;
      size = Math.min(size * growth, reader.limit);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (size === 1) return { rows: rows.reverse(), isMet: true };
      size = Math.ceil(size / 2);
      growth = 1;
    }
  }
}

/** The IDs after a neighbor's number that the server cannot serve: token IDs are often consecutive. */
async function confirmIds(
  reader: CollectionReader,
  after: TokenPlace | null,
  before: TokenPlace | null,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  const candidates = new Set([...neighbors(after, 1n, count), ...neighbors(before, -1n, count)]);
  for (const id of candidates) {
    if (ids.length < count && (await reader.token(id)) === "unreadable") ids.push(id);
  }
  return ids;
}

function neighbors(place: TokenPlace | null, step: 1n | -1n, count: number): readonly string[] {
  if (place === null || !/^\d{1,78}$/.test(place.tokenId)) return [];
  const start = BigInt(place.tokenId);
  return Array.from({ length: count }, (_, index) => start + step * BigInt(index + 1))
    .filter((id) => id >= 0n)
    .map(String);
}
