import { EventEmitter, once } from "node:events";
import { RangeTooLargeError } from "@vipscore/blocks";
import { NodeError } from "@vipscore/core";
import {
  maxChanges,
  type HexAddress,
  type NftBlock,
  type NftChain,
  type PendingUri,
  type UriRead,
} from "../chain/nftChain.ts";
import type { NftStore } from "../store/store.ts";
import { times } from "../times.ts";
import { NewHeads } from "./newHeads.ts";
import { patiently, type FollowEvent, type Patience } from "./patiently.ts";
import { resumeChain } from "./resumeChain.ts";

export type { FollowEvent } from "./patiently.ts";

/** The chain to follow, and the store to write to. */
export interface FollowOptions {
  readonly chain: NftChain;
  readonly store: NftStore;
  /** First block of a new database, from 1. Default: 1. */
  readonly startHeight?: number | undefined;
  /** Milliseconds between checks for a new block. Default: 500. */
  readonly pollMs?: number | undefined;
  readonly onEvent?: ((event: FollowEvent) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the chain's blocks into the store from where it stopped, and then each new block, until the signal aborts; then
 * it finishes the current write and resolves. URIs that the blocks lack are read while no block is to be read. Retries a
 * failing node or database without limit.
 *
 * The chain must not reorganize. A chain that was restarted under the same ID is detected by its height and by the hash
 * of the last indexed block.
 *
 * @throws VipError `CHAIN_MISMATCH` if the database belongs to another chain, `CHAIN_RESTARTED`; errors of the store.
 */
export async function followChain(options: FollowOptions): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const patience: Patience = { onEvent: options.onEvent, signal };
  const idle = new IdleTimes();
  const works = [
    // After a failure the database is read again: a commit may have succeeded although its answer was lost.
    patiently(() => follow(options, idle, patience), patience),
    followUris(options, idle, patience),
  ];
  try {
    await Promise.all(works);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(works);
    if (options.signal.aborted && error === options.signal.reason) return;
    throw error;
  }
}

async function follow(options: FollowOptions, idle: IdleTimes, patience: Patience): Promise<void> {
  const { chain, store, startHeight = 1, pollMs = times.pollMs } = options;
  const { onEvent, signal } = patience;
  let indexed = await resumeChain({ chain, store, startHeight }, patience);
  const heads = new NewHeads({ chain, pollMs, noteHead: store.noteHead, onIdle: () => idle.begin() }, patience);
  const stored = { collections: await store.readCollectionAddrs(), others: await store.readOtherContracts() };
  const readRanges = rangeReader(chain, stored, heads, patience);
  for (;;) {
    const head = await heads.next(indexed);
    idle.end();
    for await (const { blocks, height, blockHash, changes } of readRanges(indexed.height + 1, head)) {
      const leftOut = await store.applyBlocks(blocks, { height, blockHash });
      indexed = { chainId: indexed.chainId, height, blockHash };
      await heads.note(head);
      for (const left of leftOut) onEvent?.({ type: "leftOut", ...left });
      onEvent?.({ type: "indexed", height, head, changes });
      signal.throwIfAborted();
    }
  }
}

/**
 * URIs per step: a new block waits for at most one step, 0.4 s of a node's work at the 3.6 ms that a `tokenURI` takes on
 * minievm.
 */
const urisPerStep = 100;

/** Steps after which the store is asked again which URIs to read. */
const stepsPerList = 10;

/**
 * Reads the URIs that are to be read, whenever the follower has nothing else to do, until the signal aborts. Retries a
 * failing node or database without limit.
 */
async function followUris(
  { chain, store }: { readonly chain: NftChain; readonly store: NftStore },
  idle: IdleTimes,
  { onEvent, signal }: Patience,
): Promise<void> {
  /** The last URI that was asked for: those that the node never gives do not hold up the others. */
  let after: PendingUri | undefined;
  /** How many of those up to it the node did not give. */
  let notGiven = 0;
  const readSome = async (): Promise<boolean> => {
    const pending = await store.readPendingUris(urisPerStep * stepsPerList, after);
    const start = (from: number): Promise<readonly UriRead[]> | undefined => {
      if (from >= pending.length || (from > 0 && !idle.isIdle)) return undefined;
      const part = pending.slice(from, from + urisPerStep);
      after = part.at(-1);
      const reading = chain.readUris(part, signal).then((reads) => {
        notGiven += part.length - reads.length;
        return reads;
      });
      // If storing the previous step fails, nobody reads it.
      reading.catch(() => undefined);
      return reading;
    };
    let reading = start(0);
    for (let next = urisPerStep; reading !== undefined; next += urisPerStep) {
      const reads = await reading;
      // The node works while the database does.
      reading = start(next);
      const { leftOut, pendingUris } = await store.applyUris(reads);
      for (const left of leftOut) onEvent?.({ type: "leftOut", ...left });
      onEvent?.({ type: "urisRead", pendingUris });
    }
    if (pending.length > 0 || (await store.takeUriUpdate())) return true;
    if (await compareTokens({ chain, store }, { onEvent, signal })) return true;
    const [last, missing] = [after, notGiven];
    [after, notGiven] = [undefined, 0];
    if (missing === 0) return last !== undefined;
    throw new NodeError(`the node did not give ${missing} URIs, which stay pending`, { code: "NODE_ERROR" });
  };
  let finished = 0;
  for (;;) {
    const idleTime = await idle.until(finished, signal);
    if (!(await patiently(readSome, { onEvent, signal }))) finished = idleTime;
  }
}

/**
 * Compares one collection that has changed with what its contract says: how many tokens it counts, as an event that no reader
 * knows may have changed them; and its name and a URI if it had none, as a proxy may be known before its implementation.
 *
 * @returns false if there is nothing to compare.
 */
async function compareTokens(
  { chain, store }: Pick<FollowOptions, "chain" | "store">,
  { onEvent, signal }: Patience,
): Promise<boolean> {
  const indexed = await store.readUncompared();
  if (indexed === undefined) return false;
  const { collectionAddr, count, height, withoutUri } = indexed;
  // A collection that does not say it cannot differ.
  const counted = (await chain.countTokens?.(collectionAddr, height, signal)) ?? count;
  const name = indexed.name === "" ? await chain.readName?.(collectionAddr, height, signal) : undefined;
  const [read] = withoutUri === undefined ? [] : await chain.readUris([withoutUri], signal);
  const hasUris = read !== undefined && read.uri !== "";
  await store.noteComparison(indexed, { difference: Math.abs(counted - count), name, hasUris });
  const reason = `tokens: its contract counts ${counted}, the index has ${count}`;
  if (counted !== count) onEvent?.({ type: "leftOut", height, collectionAddr, reason });
  return true;
}

/** Number of blocks in the first read, before it is known how full they are. */
const firstWidth = 16;

/** Blocks read, up to `height`. */
interface ReadRange {
  readonly blocks: readonly NftBlock[];
  readonly height: number;
  readonly blockHash: string;
  readonly changes: number;
}

/**
 * Creates a reader of the blocks from `first` to `head`, in ranges of suitable size. The next range is read while the caller
 * uses the current one.
 *
 * @param stored - The stored collections and other contracts. Newly read ones are added.
 */
function rangeReader(
  chain: NftChain,
  stored: { readonly collections: Iterable<HexAddress>; readonly others: ReadonlyMap<HexAddress, number> },
  heads: NewHeads,
  patience: Patience,
): (first: number, head: number) => AsyncGenerator<ReadRange> {
  const known = new Set(stored.collections);
  const others = new Map(stored.others);
  const isKnown = (collectionAddr: HexAddress): boolean => known.has(collectionAddr);
  const otherSince = (address: HexAddress): number | undefined => others.get(address);
  let width = Math.min(firstWidth, chain.blocksPerRead);

  /** Returns the blocks; undefined if there are too many, after lowering the width. */
  const readBlocks = async (first: number, last: number): Promise<readonly NftBlock[] | undefined> => {
    try {
      return await chain.readBlocks(first, last, { isKnown, otherSince, signal: patience.signal });
    } catch (error) {
      if (!(error instanceof RangeTooLargeError) || error.blocks > last - first) throw error;
      width = error.blocks;
      return undefined;
    }
  };

  const readRange = async (first: number, last: number): Promise<ReadRange> => {
    // One after the other: a failure must not leave the other request running next to its own retry.
    const read = await patiently(async () => {
      const blocks = await readBlocks(first, last);
      return blocks && { blocks, blockHash: await heads.readHash(last) };
    }, patience);
    if (read === undefined) return readRange(first, Math.min(last, first + width - 1));
    const { blocks, blockHash } = read;
    const changes = blocks.reduce((sum, block) => sum + block.changes.length, 0);
    for (const change of blocks.flatMap((block) => block.changes)) {
      if (change.kind === "collection") known.add(change.collectionAddr);
    }
    for (const block of blocks) for (const address of block.others ?? []) others.set(address, block.height);
    // A few blocks at the head do not show how many can be read at once.
    const isFull = last - first + 1 >= width;
    if (changes > maxChanges) width = Math.max(1, Math.floor(((last - first + 1) * maxChanges) / changes));
    else if (isFull && changes < maxChanges / 4) width = Math.min(chain.blocksPerRead, width * 2);
    return { blocks, height: last, blockHash, changes };
  };

  const start = (first: number, head: number): Promise<ReadRange> | undefined => {
    if (first > head) return undefined;
    const range = readRange(first, Math.min(head, first + width - 1));
    // A caller that stops early never reads it.
    range.catch(() => undefined);
    return range;
  };

  return async function* (first, head) {
    let next = start(first, head);
    while (next !== undefined) {
      const range = await next;
      next = start(range.height + 1, head);
      yield range;
    }
  };
}

/** The times in which the follower has read all blocks, so that other work may use the node. */
class IdleTimes {
  readonly #changes = new EventEmitter();
  #isIdle = false;
  #number = 0;

  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Begins an idle time, unless one has begun. */
  begin(): void {
    if (this.#isIdle) return;
    this.#isIdle = true;
    this.#number += 1;
    this.#changes.emit("begin");
  }

  end(): void {
    this.#isIdle = false;
  }

  /** Waits for a later idle time of the follower than the one with the number `after`; returns its number, from 1. */
  async until(after: number, signal: AbortSignal): Promise<number> {
    while (!this.#isIdle || this.#number <= after) {
      try {
        await once(this.#changes, "begin", { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    }
    return this.#number;
  }
}
