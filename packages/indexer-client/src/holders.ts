import { getCollection, type NftCollection } from "./collections.ts";
import { decodeAddress } from "./decodeAddress.ts";
import { getStatus } from "./getStatus.ts";
import { badAnswer, IndexerRequestError, IndexerServerError, type IndexerErrorFields } from "./http/indexerErrors.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import type { BadRow } from "./listing/walkPages.ts";
import { nftPath } from "./nftRoutes.ts";
import type { Indexer } from "./openIndexer.ts";
import { tokenListing, type NftToken, type TokensOptions } from "./tokens.ts";

/** `INDEXER_MOVING`: a collection changed during each attempt to read it at one height. */
export class IndexerMovingError extends IndexerRequestError {
  override readonly name = "IndexerMovingError";
  override readonly code = "INDEXER_MOVING";
  /** Number of attempts. */
  declare readonly attempts: number;
  /** The height of the last attempt. */
  declare readonly height: number;

  constructor(message: string, fields: IndexerErrorFields & { readonly attempts: number; readonly height: number }) {
    super(message, { ...fields, retryable: true });
  }
}

/** Who owns how many tokens of a collection at one height. */
export interface Holders {
  /** The block after which the collection had this state. */
  readonly height: number;
  /** The chain ID that the indexer reports. */
  readonly chainId: string;
  /** The collection as the indexer reports it; its count may be seconds old, and wrong on some servers. */
  readonly collection: NftCollection;
  /** Total number of tokens of all holders. */
  readonly tokens: number;
  /** Number of tokens by owner; owners are in the form of `decodeAddress` from `…/address`. */
  readonly holders: ReadonlyMap<`0x${string}`, number>;
  /**
   * Rows that the server cannot serve, not counted for any holder, by their positions in the listing in ascending order of token
   * IDs; empty without `skipUnreadable`.
   */
  readonly unreadable: readonly BadRow[];
}

/** Progress of {@link readHolders}. */
export interface HoldersProgress {
  /** From 1. */
  readonly attempt: number;
  readonly tokensRead: number;
}

/** Options of {@link readHolders}. */
export interface ReadHoldersOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of attempts, from 1. Default: 20. */
  readonly attempts?: number | undefined;
  /** Maximum rows per request, from 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
  /**
   * Skips rows whose page fails with status 500, and lists them in the result. Default: false; such a row is an error.
   */
  readonly skipUnreadable?: boolean | undefined;
  /** Called after each page of tokens. */
  readonly onProgress?: ((progress: HoldersProgress) => void) | undefined;
}

/**
 * Reads who owns how many tokens of a collection at one height.
 *
 * Reads all tokens by ID, and then the newest change and the count. If these do not fit the tokens, reads everything
 * again. If they fit, the tokens are the collection at the height that the indexer has before and after. If that
 * differs, newest change and count have to fit twice in a row; this misses a token that is minted and burned between
 * the two. With unreadable rows, or if the indexer does not know the count, it has to have one height from the first
 * request to the last.
 *
 * The client cannot prove that the indexer has what the chain has, that several servers behind one URL have the same
 * height, or that no cache answers for them (each read has a unique query, `_`). Nobody can repeat the result later. A
 * scoring policy with `nft_holdings` counts the same tokens from the chain's blocks, as of any height.
 *
 * Memory: one entry per token.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws IndexerMovingError if the collection changed in every attempt; IndexerNotFoundError if the indexer does not
 * know it; IndexerServerError with status 500 for a row that cannot be served; another IndexerRequestError; RangeError
 * for an empty address or a limit out of range; the signal's reason when aborted.
 * @example
 * const { height, holders } = await readHolders(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde");
 */
export async function readHolders(
  indexer: Indexer,
  collectionAddr: string,
  { signal, attempts = 20, limit, skipUnreadable = false, onProgress }: ReadHoldersOptions = {},
): Promise<Holders> {
  const path = nftPath("tokens/by_collection", collectionAddr);
  const url = indexer.endpoint + path;
  const collection = await getCollection(indexer, collectionAddr, { signal });
  const run = `${Date.now()}${Math.random()}`;
  let requests = 0;
  /** Real servers cache answers by their full URL. */
  const unique = () => ({ _: `${run}.${(requests += 1)}` });
  let chainId = "";
  const readHeight = async (): Promise<number> => {
    const { chain_id, height } = await getStatus(indexer, { query: String(new URLSearchParams(unique())), signal });
    chainId ||= chain_id;
    if (chain_id !== chainId) throw badAnswer(`${indexer.endpoint}/status`, "names two chains in turn");
    return height;
  };
  const list = (options: TokensOptions): Listing<NftToken> => {
    const parts = tokenListing(path, true, options);
    return createListing(indexer, { ...parts, query: { ...parts.query, ...unique() } });
  };
  /** The tokens of the attempt before, if they were the collection then. */
  let fitting: Owners | undefined;
  let highest = 0;
  for (let attempt = 1; ; attempt += 1) {
    const height = await readHeight();
    const onPage = (tokensRead: number) => onProgress?.({ attempt, tokensRead });
    const owners =
      fitting ?? (await readOwners(list({ reverse: false }), { since: height, limit, skipUnreadable, onPage, signal }));
    const change = owners && (await readNewest(list({ orderBy: "height" }), skipUnreadable, signal));
    const after = await readHeight();
    // A height that goes down is that of another server, which is behind.
    const isBack = height < highest || after < height;
    highest = Math.max(highest, height, after);
    const isFit = !isBack && owners !== undefined && change !== undefined && fits(owners, change, after);
    if (isFit && (fitting !== undefined || after === height)) {
      const { tokens, tally, unreadable } = owners;
      return { height, chainId, collection, tokens, holders: decodeOwners(url, tally), unreadable };
    }
    if (attempt >= attempts) {
      const { rows } = owners ?? {};
      const total = change?.total ?? rows;
      const found = rows === total ? "it changed again" : `${rows} tokens were listed and ${total} counted`;
      throw new IndexerMovingError(`changed each of ${attempt} times it was read; at height ${height} ${found}`, {
        url,
        attempts: attempt,
        height,
      });
    }
    fitting = isFit ? owners : undefined;
  }
}

/** The values that show whether a collection has changed. */
interface NewestChange {
  /** 0 without tokens; undefined if the server cannot serve the token. */
  readonly height: number | undefined;
  /** Number of tokens; null if the server does not know it. */
  readonly total: number | null;
}

async function readNewest(
  listing: Listing<NftToken>,
  skipUnreadable: boolean,
  signal: AbortSignal | undefined,
): Promise<NewestChange> {
  try {
    const { items, total } = await listing.page({ limit: 1, signal });
    return { height: items[0]?.height ?? 0, total };
  } catch (error) {
    if (!skipUnreadable || !(error instanceof IndexerServerError) || error.status !== 500) throw error;
    return { height: undefined, total: null };
  }
}

/** True if the newest change and the count are those of the tokens. `height` is the height after both. */
function fits(owners: Owners, { height: newest = owners.newest, total }: NewestChange, height: number): boolean {
  const { since, rows, unreadable } = owners;
  // Only the count shows a burned token, and after an unreadable row positions are counted: then no block may have come.
  const mayMove = total !== null && unreadable.length === 0;
  return newest === owners.newest && (total ?? rows) === rows && (mayMove || height === since);
}

/** An owner may have two forms. */
function decodeOwners(url: string, tally: ReadonlyMap<string, number>): Map<`0x${string}`, number> {
  const holders = new Map<`0x${string}`, number>();
  for (const [spelling, tokens] of tally) {
    let owner: `0x${string}`;
    try {
      owner = decodeAddress(spelling);
    } catch (cause) {
      throw badAnswer(url, "listed an owner that is not an address", {}, cause);
    }
    holders.set(owner, (holders.get(owner) ?? 0) + tokens);
  }
  return holders;
}

/** The tokens of a collection as one pass over the listing has them. */
interface Owners {
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

interface ReadOwnersOptions {
  readonly since: number;
  readonly limit: number | undefined;
  readonly skipUnreadable: boolean;
  /** Called after each page with the number of tokens so far. */
  readonly onPage: (tokens: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Reads all tokens of a listing; undefined once one of them has changed since the pass began, or comes twice. */
async function readOwners(
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
