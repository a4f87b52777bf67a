import { badAnswer } from "../http/indexerErrors.ts";
import { keysetKey } from "../listing/keysetKey.ts";
import { watchForCircle } from "../listing/watchForCircle.ts";
import type { NftToken } from "../tokens.ts";
import { isUnreadable, type CollectionReader } from "./collectionReader.ts";
import { stepOver } from "./stepOver.ts";
import type { TokenLedger } from "./tokenLedger.ts";

/**
 * Pages that are not full, after which everything should be read: more follow only if the collection changes as fast as
 * it is read.
 */
const maxShortPages = 3;

/** How changes are read. */
export interface ReadChangesOptions {
  /** Pages on which the server also counts: counting a large collection takes a real server seconds. */
  readonly counts: "each" | "first" | "none";
  readonly skipUnreadable: boolean;
  /** Called after each page, with the count if there is one. */
  readonly onPage: (total: number | null) => void;
}

/** Result of a read. */
export interface Changes {
  /** False if every row was already in the ledger. */
  readonly changed: boolean;
  /**
   * The count of the last page; null if the server does not know it, undefined if it was not requested or the end was
   * not reached.
   */
  readonly total: number | null | undefined;
}

/**
 * Reads the rows after the ledger's last row into the ledger. A token that changes moves to the end of the listing, so
 * at its end the ledger has each token of the collection with its owner, and those that were burned meanwhile.
 *
 * @throws IndexerRequestError; the signal's reason when aborted.
 */
export async function readChanges(
  reader: CollectionReader,
  ledger: TokenLedger,
  { counts, skipUnreadable, onPage }: ReadChangesOptions,
): Promise<Changes> {
  const isCircle = watchForCircle();
  let changed = false;
  const place = (rows: readonly NftToken[]): void => {
    for (const row of rows) changed = ledger.place(row) || changed;
  };
  await reader.settle();
  // Nothing that is known has to be requested again to get past it.
  if (ledger.unreadableSinceLast > 0) place(await stepOver(reader, ledger));
  let size = reader.limit;
  // An unreadable row is among this many following rows.
  let suspects = 0;
  let shortPages = 0;
  // Number of tokens at the start, if counted.
  let atStart = 0;
  for (let pages = 0; ledger.unreadableSinceLast === 0;) {
    const countTotal = counts === "each" || (counts === "first" && pages === 0);
    const key = ledger.last && keysetKey({ height: ledger.last.height, nft: { token_id: ledger.last.tokenId } });
    try {
      // While searching for an unreadable row, only the row itself is worth a retry.
      const repeat500 = size === reader.limit || size === 1;
      const { items, nextKey, total } = await reader.page({ key, limit: size, countTotal, repeat500 });
      pages += 1;
      place(items);
      onPage(total);
      if (nextKey === null) return { changed, total: counts === "none" || countTotal ? total : undefined };
      const isStanding = items.every((row) => ledger.last?.tokenId !== row.nft.token_id);
      if (isStanding || isCircle(items[0])) throw badAnswer(reader.url, "repeats its pages endlessly");
      suspects = Math.max(0, suspects - items.length);
      if (pages === 1) atStart = total ?? 0;
      if (items.length < size && ledger.size >= atStart) shortPages += 1;
      if (shortPages > maxShortPages) return { changed, total: undefined };
    } catch (error) {
      if (!skipUnreadable || !isUnreadable(error)) throw error;
      suspects = size;
      if (size === 1) {
        place(await stepOver(reader, ledger, error));
        suspects = 0;
      }
    }
    size = suspects > 0 ? Math.ceil(suspects / 2) : reader.limit;
  }
  // No page can include the end of the listing, so the count needs another page.
  return { changed, total: null };
}
