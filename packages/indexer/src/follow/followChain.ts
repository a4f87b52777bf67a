import { NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { NftChain } from "../chain/nftChain.ts";
import type { IndexedChain, NftStore } from "../store/nftStore.ts";
import type { FollowEvent } from "./followEvent.ts";
import { patiently, type Patience } from "./patiently.ts";
import { RangeReader } from "./rangeReader.ts";
import { chainRestarted, resumeChain } from "./resumeChain.ts";

export type { FollowEvent } from "./followEvent.ts";

/**
 * Looks in a row at a head below the indexed height after which the chain counts as started anew. A node behind a balancer
 * may lag for a moment.
 */
const looksAtLowHead = 10;

/** What is followed, and where to. */
export interface FollowOptions {
  readonly chain: NftChain;
  readonly store: NftStore;
  /** First block of a new database, from 1; 1 when absent. */
  readonly startHeight?: number | undefined;
  /** Milliseconds between two looks for a new block; 500 when absent. */
  readonly pollMs?: number | undefined;
  readonly onEvent?: ((event: FollowEvent) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the chain's blocks into the store from where it stopped, and each new block as it comes, until the signal: then it
 * resolves, with what was being stored stored. A node or a database that fails or is away is waited for, however long.
 *
 * The chain must not reorganise. One that was started anew under the same id is told by its height and by the hash of the
 * block that was indexed last.
 *
 * @throws CheckError `CHAIN_MISMATCH` when the database is about another chain, `CHAIN_RESTARTED`; what the store throws.
 */
export async function followChain(options: FollowOptions): Promise<void> {
  try {
    // A database that was away is asked anew what it holds: a commit can have been made whose answer was lost.
    await patiently(() => follow(options), { onEvent: options.onEvent, signal: options.signal });
  } catch (error) {
    if (options.signal.aborted && error === options.signal.reason) return;
    throw error;
  }
}

async function follow(options: FollowOptions): Promise<void> {
  const { chain, store, startHeight = 1, pollMs = 500, onEvent, signal } = options;
  const patience: Patience = { onEvent, signal };
  let indexed = await resumeChain({ chain, store, startHeight }, patience);
  const ranges = new RangeReader(chain, await store.readCollectionAddrs(), patience);
  for (;;) {
    const head = await readHead(chain, indexed, { ...patience, pollMs });
    await checkUnchanged(chain, indexed, patience);
    for await (const { blocks, height, blockHash, changes } of ranges.read(indexed.height + 1, head)) {
      const leftOut = await store.applyBlocks(blocks, { height, blockHash });
      indexed = { chainId: indexed.chainId, height, blockHash };
      for (const left of leftOut) onEvent?.({ type: "leftOut", ...left });
      onEvent?.({ type: "indexed", height, head, changes });
      signal.throwIfAborted();
    }
  }
}

/** The newest block's height, once it is above what is indexed. */
async function readHead(
  chain: NftChain,
  indexed: IndexedChain,
  { pollMs, ...patience }: Patience & { readonly pollMs: number },
): Promise<number> {
  const { signal } = patience;
  let low = 0;
  for (let look = 1; ; look += 1) {
    const head = await patiently(() => chain.readHead(signal), patience);
    if (head > indexed.height) return head;
    // Without a new block a chain that was started anew may stand exactly where the old one stood.
    if (look === 1 && head === indexed.height) await checkUnchanged(chain, indexed, patience);
    // Before anything is indexed there is nothing to compare with: the first block to read may be yet to come.
    low = head < indexed.height && indexed.blockHash !== "" ? low + 1 : 0;
    if (low >= looksAtLowHead) throw chainRestarted(indexed, `its newest block is ${head}`);
    await pause(pollMs, signal);
  }
}

/** Makes sure that the block that was indexed last is still the chain's. */
async function checkUnchanged(chain: NftChain, indexed: IndexedChain, patience: Patience): Promise<void> {
  const { height, blockHash } = indexed;
  if (blockHash === "") return;
  const hash = await patiently(async () => {
    const read = await chain.readBlockHash(height, patience.signal);
    if (read !== undefined) return read;
    throw new NodeError(`the node does not have block ${height}, which was indexed`, { code: "NODE_ERROR" });
  }, patience);
  if (hash !== blockHash) throw chainRestarted(indexed, `its block ${height} is another one`);
}
