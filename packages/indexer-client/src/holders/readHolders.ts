import { getCollection, type NftCollection } from "../collections.ts";
import { decodeAddress } from "../decodeAddress.ts";
import { getStatus, type IndexerStatus } from "../getStatus.ts";
import { badAnswer } from "../http/indexerErrors.ts";
import { pause } from "../http/pause.ts";
import { nftPath } from "../nftPath.ts";
import type { Indexer } from "../openIndexer.ts";
import { tokensByCollection } from "../tokens.ts";
import { IndexerMovingError } from "./indexerMovingError.ts";

/** How long a real indexer was seen to give out an answer again, with a margin. */
const usualCacheMs = 1500;

/** Who owns how many tokens of a collection at one height. */
export interface Holders {
  /** The indexed height when the collection was counted; may be `cacheMs` old where the server gives out answers again. */
  readonly height: number;
  /** The chain as the indexer names it. */
  readonly chainId: string;
  readonly collection: NftCollection;
  /** How many tokens the collection has, all holders together. */
  readonly tokens: number;
  /** Tokens by owner; owners as `decodeAddress` of `…/address` spells them. */
  readonly holders: ReadonlyMap<`0x${string}`, number>;
}

/** How far {@link readHolders} is. */
export interface HoldersProgress {
  /** From 1. */
  readonly attempt: number;
  readonly tokensRead: number;
  readonly tokens: number;
}

/** How {@link readHolders} reads. */
export interface ReadHoldersOptions {
  readonly signal?: AbortSignal | undefined;
  /** How often a collection that changes meanwhile is read at most, from 1; 5 when absent. */
  readonly attempts?: number | undefined;
  /**
   * How old an answer may be, in milliseconds; 1,500 when absent, as real indexers give answers out for about a second. Two
   * pauses of this length are made in an attempt. 0 for a server known to give out none again. Where several servers answer
   * in turn, it has to cover how far one may be behind another.
   */
  readonly cacheMs?: number | undefined;
  /** Told after each page of tokens. */
  readonly onProgress?: ((progress: HoldersProgress) => void) | undefined;
}

/**
 * Reads who owns how many tokens of a collection at one height, which a listing of many pages does not tell by itself.
 *
 * An attempt reads the indexed height K, how many tokens the collection has, N, and then the tokens, by keyset; a pause before
 * each makes sure that no answer is older than the one before. It counts only if no listed token was changed above K and N
 * were listed. Then the listing is the collection as it was when N was read: a change of a token, its mint included, gives it
 * the height of its block, so each listed token has been since K as it was listed and is one of the N; and as there are N of
 * them, they are all. Otherwise everything is read again.
 *
 * Memory is that of two pages and one entry a holder.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws IndexerMovingError when the collection changed in every attempt; IndexerNotFoundError when there is none; another
 * IndexerRequestError; RangeError for an empty address; the signal's reason when aborted.
 * @example
 * const { height, holders } = await readHolders(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde");
 */
export async function readHolders(
  indexer: Indexer,
  collectionAddr: string,
  options: ReadHoldersOptions = {},
): Promise<Holders> {
  const { signal, attempts = 5, cacheMs = usualCacheMs, onProgress } = options;
  for (let attempt = 1; ; attempt += 1) {
    const before = await getStatus(indexer, { signal });
    await pause(cacheMs, signal);
    const collection = await getCollection(indexer, collectionAddr, { signal });
    const status = await getStatus(indexer, { signal });
    checkSameChain(indexer, before, status);
    await pause(cacheMs, signal);
    const tokens = collection.collection.nfts.length;
    const tally = await countTokens(indexer, collectionAddr, {
      newest: before.height,
      tokens,
      signal,
      onPage: (tokensRead) => onProgress?.({ attempt, tokensRead, tokens }),
    });
    if (typeof tally !== "string") {
      const holders = decodeOwners(indexer, collectionAddr, tally);
      return { height: status.height, chainId: status.chain_id, collection, tokens, holders };
    }
    if (attempt < attempts) continue;
    throw new IndexerMovingError(`changed each of ${attempts} times it was read; at height ${status.height} ${tally}`, {
      url: listingOf(indexer, collectionAddr),
      attempts,
      height: status.height,
    });
  }
}

interface CountOptions {
  /** Height above which a token must not have changed. */
  readonly newest: number;
  /** How many there must be. */
  readonly tokens: number;
  readonly signal: AbortSignal | undefined;
  readonly onPage: (tokensRead: number) => void;
}

/** Tokens by owner as the server spells it; what has moved, in words, where something has. */
async function countTokens(
  indexer: Indexer,
  collectionAddr: string,
  { newest, tokens, signal, onPage }: CountOptions,
): Promise<Map<string, number> | string> {
  const tally = new Map<string, number>();
  let listed = 0;
  for await (const { items } of tokensByCollection(indexer, collectionAddr, { reverse: false }).pages({ signal })) {
    for (const { owner, nft, height } of items) {
      if (height > newest) return `token ${nft.token_id.slice(0, 80)} had changed at height ${height}`;
      tally.set(owner, (tally.get(owner) ?? 0) + 1);
    }
    listed += items.length;
    if (listed > tokens) break;
    onPage(listed);
  }
  return listed === tokens ? tally : `${listed > tokens ? "more" : listed} tokens were listed and ${tokens} counted`;
}

/** One owner may be spelled in two ways. */
function decodeOwners(
  indexer: Indexer,
  collectionAddr: string,
  tally: ReadonlyMap<string, number>,
): Map<`0x${string}`, number> {
  const holders = new Map<`0x${string}`, number>();
  for (const [spelling, tokens] of tally) {
    let owner: `0x${string}`;
    try {
      owner = decodeAddress(spelling);
    } catch (cause) {
      throw badAnswer(listingOf(indexer, collectionAddr), "listed an owner that is no address", 200, cause);
    }
    holders.set(owner, (holders.get(owner) ?? 0) + tokens);
  }
  return holders;
}

function checkSameChain(indexer: Indexer, one: IndexerStatus, other: IndexerStatus): void {
  if (one.chain_id === other.chain_id) return;
  throw badAnswer(`${indexer.endpoint}/status`, "names two chains in turn");
}

function listingOf(indexer: Indexer, collectionAddr: string): string {
  return indexer.endpoint + nftPath("tokens/by_collection", collectionAddr);
}
