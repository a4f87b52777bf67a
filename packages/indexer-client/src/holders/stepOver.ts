import type { IndexerServerError } from "../http/indexerErrors.ts";
import { keysetKey } from "../listing/keysetKey.ts";
import type { NftToken } from "../tokens.ts";
import { isUnreadable, type CollectionReader } from "./collectionReader.ts";
import type { TokenLedger, TokenPlace } from "./tokenLedger.ts";

/** So many rows one after the other are not bad: the server is. */
const mostInARow = 20;

/**
 * Gets past a row that the server cannot serve and that follows the ledger's last readable one. The row is placed in the ledger
 * unless it is there already.
 *
 * Where rows are counted from the start, a token that moves shifts all that follow it. So a row beyond the unreadable one
 * is found by its place, and then all between are read downwards, by keyset, until the server fails again.
 *
 * @param error What the server answered to a page of that row alone; undefined where the ledger has the row.
 * @returns The readable rows between the unreadable one and the one that was found, ascending.
 * @throws The error where more than 20 rows in a row are unreadable.
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
      if (unreadable > mostInARow) throw error;
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
 * The rows from the one that was found, or from the last one, down to an unreadable one or to one of the ledger; ascending.
 * `isMet` is false where no unreadable row is there any more.
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

/** The ids that follow a neighbor's number and that the server cannot serve: tokens are often minted one after the other. */
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
