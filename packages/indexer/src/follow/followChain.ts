import { NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { NftChain } from "../chain/nftChain.ts";
import type { IndexedChain, NftStore } from "../store/nftStore.ts";
import { followUris } from "./followUris.ts";
import { IdleTimes } from "./idleTimes.ts";
import { headNotes } from "./noteHead.ts";
import { patiently, type FollowEvent, type Patience } from "./patiently.ts";
import { RangeReader } from "./rangeReader.ts";
import { chainRestarted, resumeChain } from "./resumeChain.ts";

export type { FollowEvent } from "./patiently.ts";

/**
 * Checks in a row that see a head below the indexed height before the chain counts as restarted. A node behind a
 * balancer may lag for a moment.
 */
const lowHeadChecks = 10;

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
 * @throws CheckError `CHAIN_MISMATCH` if the database belongs to another chain, `CHAIN_RESTARTED`; errors of the store.
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
  const { chain, store, startHeight = 1, pollMs = 500 } = options;
  const { onEvent, signal } = patience;
  let indexed = await resumeChain({ chain, store, startHeight }, patience);
  const noteHead = headNotes(store);
  const ranges = new RangeReader(chain, await store.readCollectionAddrs(), patience);
  for (;;) {
    const head = await readHead(chain, indexed, { ...patience, pollMs, noteHead, idle });
    idle.end();
    await checkUnchanged(chain, indexed, patience);
    for await (const { blocks, height, blockHash, changes } of ranges.read(indexed.height + 1, head)) {
      const leftOut = await store.applyBlocks(blocks, { height, blockHash });
      indexed = { chainId: indexed.chainId, height, blockHash };
      await noteHead(head);
      for (const left of leftOut) onEvent?.({ type: "leftOut", ...left });
      onEvent?.({ type: "indexed", height, head, changes });
      signal.throwIfAborted();
    }
  }
}

/** Waits for a block above the indexed height and returns the newest height. */
async function readHead(
  chain: NftChain,
  indexed: IndexedChain,
  {
    pollMs,
    noteHead,
    idle,
    ...patience
  }: Patience & {
    readonly pollMs: number;
    readonly noteHead: (head: number) => Promise<void>;
    readonly idle: IdleTimes;
  },
): Promise<number> {
  const { signal } = patience;
  let low = 0;
  for (let look = 1; ; look += 1) {
    const head = await patiently(() => chain.readHead(signal), patience);
    await noteHead(head);
    if (head > indexed.height) return head;
    // Without a new block, a restarted chain may be at exactly the old height.
    if (look === 1 && head === indexed.height) await checkUnchanged(chain, indexed, patience);
    // Before anything is indexed there is nothing to compare: the first block may not exist yet.
    low = head < indexed.height && indexed.blockHash !== "" ? low + 1 : 0;
    if (low >= lowHeadChecks) throw chainRestarted(indexed, `its newest block is ${head}`);
    idle.begin();
    await pause(pollMs, signal);
  }
}

/** Checks that the last indexed block is still the chain's. */
async function checkUnchanged(chain: NftChain, indexed: IndexedChain, patience: Patience): Promise<void> {
  const { height, blockHash } = indexed;
  if (blockHash === "") return;
  const hash = await patiently(async () => {
    const read = await chain.readBlockHash(height, patience.signal);
    if (read !== undefined) return read;
    throw new NodeError(`the node does not have block ${height}, which was indexed`, { code: "NODE_ERROR" });
  }, patience);
  if (hash !== blockHash) throw chainRestarted(indexed, `its block ${height} is different`);
}
