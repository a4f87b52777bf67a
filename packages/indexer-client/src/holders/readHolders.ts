import { getCollection, type NftCollection } from "../collections.ts";
import { decodeAddress } from "../decodeAddress.ts";
import type { IndexerStatus } from "../getStatus.ts";
import { badAnswer } from "../http/indexerErrors.ts";
import { maxLimit } from "../listing/page.ts";
import type { Indexer } from "../openIndexer.ts";
import { CollectionReader } from "./collectionReader.ts";
import { IndexerMovingError } from "./indexerMovingError.ts";
import { readChanges } from "./readChanges.ts";
import { removeBurned } from "./removeBurned.ts";
import { TokenLedger, type UnreadableToken } from "./tokenLedger.ts";

/** Default cache time of answers, in milliseconds. */
const usualCacheMs = 1500;

/** How often the whole collection is read: again only if reading changes does not add up twice. */
const maxWalks = 5;

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
  /** Tokens that the server cannot serve, not counted for any holder; empty without `skipUnreadable`. */
  readonly unreadable: readonly UnreadableToken[];
}

/** Progress of {@link readHolders}. */
export interface HoldersProgress {
  /** From 1: the first attempt reads the whole collection, each later attempt the changes. */
  readonly attempt: number;
  readonly tokensRead: number;
  /** Number of tokens at the start; null if the server does not know it. */
  readonly tokens: number | null;
}

/** How {@link readHolders} reads. */
export interface ReadHoldersOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of attempts to read changes, from 1. Default: 100. */
  readonly attempts?: number | undefined;
  /** Maximum rows per request, from 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
  /**
   * How old an answer may be, in milliseconds, if the server does not mark it as fresh (`cache-control: no-store`, or
   * `x-cache: miss` as real indexers do). Then the client waits this long before reading the status or changes.
   * Default: 1,500.
   */
  readonly cacheMs?: number | undefined;
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
 * Tokens are read in the order of their last change. A token that changes meanwhile moves to the end, so after the
 * first pass only rows after the last one are read again. The rows then include every token with its owner, and perhaps
 * some burned tokens: they are the collection if the listing counts as many tokens. The collection's own count is not
 * used.
 *
 * They are the collection at height H if the indexer was at H both before and after the last read, or if that read,
 * made after H was seen, found nothing new, and the read before H was seen counted as many. (The second case misses a
 * token that is minted and burned between two requests.) Otherwise changes are read again; burned tokens are found by
 * comparing positions.
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
  options: ReadHoldersOptions = {},
): Promise<Holders> {
  const {
    signal,
    attempts = 100,
    limit = maxLimit,
    cacheMs = usualCacheMs,
    skipUnreadable = false,
    onProgress,
  } = options;
  const collection = await getCollection(indexer, collectionAddr, { signal });
  const reader = new CollectionReader(indexer, collectionAddr, { limit, cacheMs, signal });
  let ledger = new TokenLedger();
  let before = await reader.status();
  let tokens: number | null | undefined;
  let walks = 1;
  let counts: "each" | "first" | "none" = "first";
  let wasComplete = false;
  let standstills = 0;
  for (let attempt = 1; ; attempt += 1) {
    const isStatusNew = reader.takeAreNew();
    const { changed, total } = await readChanges(reader, ledger, {
      counts,
      skipUnreadable,
      onPage: (counted) => {
        tokens ??= counted;
        onProgress?.({ attempt, tokensRead: ledger.size, tokens: tokens ?? null });
      },
    });
    const missing = await countMissing(reader, ledger, total);
    const after = await reader.status();
    checkSameChain(indexer, before, after);
    const isAtOneHeight = isStatusNew && reader.takeAreNew() && before.height === after.height;
    const isStill = wasComplete && !changed;
    // Another server answered, which is behind: wait from here on.
    const isBehind = after.height < before.height;
    const newest = ledger.last?.height ?? 0;
    if (missing === 0 && !isBehind && (isAtOneHeight || isStill) && newest <= before.height) {
      const holders = decodeOwners(reader.url, ledger.tally());
      const { unreadable } = ledger;
      const { height, chain_id: chainId } = before;
      return { height, chainId, collection, tokens: ledger.size - unreadable.length, holders, unreadable };
    }
    if (attempt >= attempts || walks > maxWalks) {
      const found =
        missing === 0 ? "it changed again" : `${ledger.size} tokens were listed and ${total ?? "others"} counted`;
      throw new IndexerMovingError(`changed each of ${attempt} times it was read; at height ${after.height} ${found}`, {
        url: reader.url,
        attempts: attempt,
        height: after.height,
      });
    }
    const removed = missing !== undefined && missing > 0 ? await removeBurned(reader, ledger, missing) : 0;
    standstills = missing === 0 || missing === undefined || changed || removed > 0 ? 0 : standstills + 1;
    wasComplete = missing === 0 && !isBehind;
    before = after;
    counts = counts === "none" || total === null ? "none" : "each";
    if (standstills > 1) {
      // Something was missed that further reads cannot find.
      ledger = new TokenLedger();
      counts = "first";
      walks += 1;
      standstills = 0;
    }
  }
}

/**
 * Returns how many tokens of the ledger the listing lacks; negative if it has others, undefined without a count. If the
 * server does not know the count, the end of the listing, which is near, is searched.
 */
async function countMissing(
  reader: CollectionReader,
  { size }: TokenLedger,
  total: number | null | undefined,
): Promise<number | undefined> {
  if (total !== null) return total === undefined ? undefined : size - total;
  if (size === 0) return (await reader.rowAt(0)) === undefined ? 0 : -1;
  const around = await reader.rowsAt(size - 1, 2);
  if (around !== undefined && around.length > 0) return 1 - around.length;
  // A page with an unreadable row proves nothing.
  if (around === undefined && (await reader.rowAt(size)) !== undefined) return -1;
  let missing = 0;
  let tooMany = 1;
  while (tooMany <= size && (await reader.rowAt(size - tooMany)) === undefined) {
    missing = tooMany;
    tooMany *= 2;
  }
  tooMany = Math.min(tooMany, size + 1);
  while (tooMany - missing > 1) {
    const middle = Math.floor((missing + tooMany) / 2);
    if ((await reader.rowAt(size - middle)) === undefined) missing = middle;
    else tooMany = middle;
  }
  return missing;
}

/** An owner may have two forms. */
function decodeOwners(url: string, tally: ReadonlyMap<string, number>): Map<`0x${string}`, number> {
  const holders = new Map<`0x${string}`, number>();
  for (const [spelling, tokens] of tally) {
    let owner: `0x${string}`;
    try {
      owner = decodeAddress(spelling);
    } catch (cause) {
      throw badAnswer(url, "listed an owner that is not an address", 200, cause);
    }
    holders.set(owner, (holders.get(owner) ?? 0) + tokens);
  }
  return holders;
}

function checkSameChain(indexer: Indexer, one: IndexerStatus, other: IndexerStatus): void {
  if (one.chain_id === other.chain_id) return;
  throw badAnswer(`${indexer.endpoint}/status`, "names two chains in turn");
}
