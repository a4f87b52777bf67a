import type { Listing } from "./listing/createListing.ts";
import type { BadRow } from "./listing/walkPages.ts";
import type { NftToken } from "./tokens.ts";

/** The tokens of a collection as one pass over the listing has them. */
export interface Owners {
  /** The height before the pass; no token has changed since. */
  readonly since: number;
  /** The height of the newest change; 0 without tokens. */
  readonly newest: number;
  readonly tokens: number;
  /** Number of tokens and unreadable rows. */
  readonly rows: number;
  /** Number of tokens by owner, as the server writes it. */
  readonly tally: ReadonlyMap<string, number>;
  readonly unreadable: readonly BadRow[];
}

/** Options of {@link readOwners}. */
export interface ReadOwnersOptions {
  readonly since: number;
  readonly limit: number | undefined;
  readonly skipUnreadable: boolean;
  /** Called after each page with the number of tokens so far. */
  readonly onPage: (tokens: number) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads all tokens of a listing; undefined once one of them has changed since the pass began, or comes twice.
 *
 * @throws IndexerRequestError; RangeError for a limit out of range; the signal's reason when aborted.
 */
export async function readOwners(
  listing: Listing<NftToken>,
  { since, limit, skipUnreadable, onPage, signal }: ReadOwnersOptions,
): Promise<Owners | undefined> {
  const ids = new Set<string>();
  const tally = new Map<string, number>();
  const unreadable: BadRow[] = [];
  let newest = 0;
  const onBadRow = skipUnreadable ? (row: BadRow): unknown => unreadable.push(row) : undefined;
  for await (const { items } of listing.pages({ limit, onBadRow, signal })) {
    for (const { owner, height, nft } of items) {
      if (height > since || ids.has(nft.token_id)) return undefined;
      ids.add(nft.token_id);
      tally.set(owner, (tally.get(owner) ?? 0) + 1);
      newest = Math.max(newest, height);
    }
    onPage(ids.size);
  }
  const rows = ids.size + unreadable.length;
  return { since, newest, tokens: ids.size, rows, tally, unreadable };
}
