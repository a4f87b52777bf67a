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

/** How long an answer may have been kept where the server does not say, in milliseconds. */
const usualCacheMs = 1500;

/** How often the whole collection is read: again only where a reading of the changes does not add up twice. */
const mostWalks = 5;

/** Who owns how many tokens of a collection at one height. */
export interface Holders {
  /** The block after which the collection was as it is here. */
  readonly height: number;
  /** The chain as the indexer names it. */
  readonly chainId: string;
  /** The collection as the indexer describes it; its count may be seconds old, and wrong on some servers. */
  readonly collection: NftCollection;
  /** How many tokens the holders have together. */
  readonly tokens: number;
  /** Tokens by owner; owners as `decodeAddress` of `…/address` spells them. */
  readonly holders: ReadonlyMap<`0x${string}`, number>;
  /** Tokens that the server cannot serve, which no holder has here; empty without `skipUnreadable`. */
  readonly unreadable: readonly UnreadableToken[];
}

/** How far {@link readHolders} is. */
export interface HoldersProgress {
  /** From 1: the first reads the whole collection, each further one what has changed. */
  readonly attempt: number;
  readonly tokensRead: number;
  /** How many tokens the collection had at the start; null where the server did not tell. */
  readonly tokens: number | null;
}

/** How {@link readHolders} reads. */
export interface ReadHoldersOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often what has changed is read at most, from 1. Default: 100. */
  readonly attempts?: number | undefined;
  /** Largest number of rows that are asked for at once, from 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
  /**
   * How old an answer may be, in milliseconds, where the server does not say that it is new (`cache-control: no-store`, or
   * `x-cache: miss` as real indexers do). Then a pause of this length is made before each status and each reading of changes.
   * Default: 1,500.
   */
  readonly cacheMs?: number | undefined;
  /** Gets past rows that make their page answer 500, and lists them in the result. Default: such an answer is an error. */
  readonly skipUnreadable?: boolean | undefined;
  /** Called after each page of tokens. */
  readonly onProgress?: ((progress: HoldersProgress) => void) | undefined;
}

/**
 * Reads who owns how many tokens of a collection at one height.
 *
 * The tokens are read in the order of their last change. One that changes meanwhile moves to the end, so after the first walk
 * only what follows the last row is read again. What was read then has every token with its owner, and perhaps some that were
 * burned: it is the collection if the listing counts as many tokens. The count of the collection itself is not used.
 *
 * It is the collection at height H if the indexer was at H both before and after the last reading, or if that reading,
 * made after H was seen, brought nothing, and the one before H was seen counted as many too. (The second does not see a token
 * that is minted and burned between two requests.) Otherwise what has changed is read again; burned tokens are found by
 * comparing places.
 *
 * Memory is one entry a token.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws IndexerMovingError when the collection changed in every attempt; IndexerNotFoundError when the indexer does not know it;
 * IndexerServerError with status 500 for a row that cannot be served; another IndexerRequestError; RangeError for an empty
 * address or a limit out of range; the signal's reason when aborted.
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
    // Another server answered, which is behind: from here on pauses are made.
    const isBehind = after.height < before.height;
    const newest = ledger.last?.height ?? 0;
    if (missing === 0 && !isBehind && (isAtOneHeight || isStill) && newest <= before.height) {
      const holders = decodeOwners(reader.url, ledger.tally());
      const { unreadable } = ledger;
      const { height, chain_id: chainId } = before;
      return { height, chainId, collection, tokens: ledger.size - unreadable.length, holders, unreadable };
    }
    if (attempt >= attempts || walks > mostWalks) {
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
      // Something was missed, which reading on cannot find.
      ledger = new TokenLedger();
      counts = "first";
      walks += 1;
      standstills = 0;
    }
  }
}

/**
 * How many tokens of the ledger the listing does not have; negative where it has others, undefined where nobody counted. Where
 * the server does not know the count, the end of the listing is looked for, which is near.
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
  // A page with an unreadable row tells nothing.
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

/** One owner may be spelled in two ways. */
function decodeOwners(url: string, tally: ReadonlyMap<string, number>): Map<`0x${string}`, number> {
  const holders = new Map<`0x${string}`, number>();
  for (const [spelling, tokens] of tally) {
    let owner: `0x${string}`;
    try {
      owner = decodeAddress(spelling);
    } catch (cause) {
      throw badAnswer(url, "listed an owner that is no address", 200, cause);
    }
    holders.set(owner, (holders.get(owner) ?? 0) + tokens);
  }
  return holders;
}

function checkSameChain(indexer: Indexer, one: IndexerStatus, other: IndexerStatus): void {
  if (one.chain_id === other.chain_id) return;
  throw badAnswer(`${indexer.endpoint}/status`, "names two chains in turn");
}
