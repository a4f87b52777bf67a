import { CheckError, NodeError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import { count, group } from "@vipscore/core/values";
import { getStatus, IndexerRequestError, type Indexer } from "@vipscore/indexer-client";
import { valueAt } from "../files/valueAt.ts";
import type { RollupBlock, RollupBlocks } from "./rollupBlocks.ts";

/** Maximum time from a block until the indexer has it, in seconds. */
const maxSecondsBehind = 60;

/** Maximum number of further checks, once a second, of an indexer that may be about to index an old block. */
const maxChecks = 5;

/** The result of comparing an indexer with its rollup. */
export interface IndexerCheck {
  /** Describes how far the indexer is behind; undefined within the limit. */
  readonly lag: string | undefined;
  /** False if it is unknown whether the indexer serves this rollup. */
  readonly isSameChain: boolean;
}

/**
 * Compares an indexer with its rollup: the chain, and the age of the first block that the indexer does not have.
 *
 * Compares chain IDs. An indexer of an EVM rollup may report the Cosmos ID, which EVM endpoints do not return; then compares
 * the hash of the block with the newest indexed transaction.
 *
 * @throws CheckError `CHAIN_MISMATCH`; NodeError; IndexerRequestError; the signal's reason when aborted.
 */
export async function checkIndexer(indexer: Indexer, blocks: RollupBlocks, signal: AbortSignal): Promise<IndexerCheck> {
  const newest = await blocks.read();
  if (newest === undefined) throw new NodeError(`${blocks.shown} has no block`, { code: "NODE_BAD_RESPONSE" });
  let { chain_id: chainId, height } = await getStatus(indexer, { signal });
  const isSameChain = await compareChain({ indexer, blocks, newest, chainId, signal });
  for (let check = 0; ; check += 1) {
    if (height >= newest.height) return { lag: undefined, isSameChain };
    const missing = height + 1 === newest.height ? newest : await blocks.read(height + 1);
    // The node has pruned the block, so it is old.
    const behind = missing === undefined ? Number.POSITIVE_INFINITY : (newest.time - missing.time) / 1000;
    const age = missing === undefined ? behind : (Date.now() - missing.time) / 1000;
    if (age <= maxSecondsBehind && behind <= maxSecondsBehind) return { lag: undefined, isSameChain };
    // A chain that was idle for an hour may have just made this block with an old time, so give the indexer some seconds.
    if (behind > maxSecondsBehind || check === maxChecks) {
      const seconds = Math.round(Math.max(behind, age));
      const time = Number.isFinite(seconds) ? `, ${group(seconds)} s` : "";
      const gap = `${count(newest.height - height, "block")}${time}`;
      const lag = `the NFT indexer is ${gap} behind the rollup: it is at height ${group(height)}, the rollup at ${group(newest.height)}`;
      return { lag, isSameChain };
    }
    await pause(1000, signal);
    ({ height } = await getStatus(indexer, { signal }));
  }
}

interface Compared {
  readonly indexer: Indexer;
  readonly blocks: RollupBlocks;
  readonly newest: RollupBlock;
  /** As the indexer reports it. */
  readonly chainId: string;
  readonly signal: AbortSignal;
}

/** Returns false if nothing can be compared. */
async function compareChain({ indexer, blocks, newest, chainId, signal }: Compared): Promise<boolean> {
  // On EVM an indexer may report the Cosmos ID, which no EVM endpoint returns.
  if (newest.hash === undefined || /^\d+$/.test(chainId)) {
    if (newest.chainId === chainId) return true;
    throw mismatch(`${blocks.shown} serves chain ${newest.chainId}, the NFT indexer chain ${chainId}`);
  }
  const indexed = await newestEvmBlock(indexer, signal);
  if (indexed === undefined) return false;
  const block = await blocks.read(indexed.height);
  if (block === undefined) return false;
  if (block.hash === indexed.hash) return true;
  throw mismatch(
    `${blocks.shown} has block ${block.hash} at height ${block.height}, the NFT indexer of ${chainId} has ${indexed.hash}`,
  );
}

/** Returns height and hash of the block with the newest EVM transaction; undefined if the indexer serves no transactions. */
async function newestEvmBlock(
  indexer: Indexer,
  signal: AbortSignal,
): Promise<{ readonly height: number; readonly hash: string } | undefined> {
  try {
    const query = "pagination.limit=1&pagination.count_total=false";
    const answer = await indexer.get("/indexer/tx/v1/evm-txs", { query, signal });
    const hash = valueAt(answer, "txs", "0", "blockHash");
    const height = Number(valueAt(answer, "txs", "0", "blockNumber"));
    if (typeof hash !== "string" || !Number.isSafeInteger(height)) return undefined;
    return { height, hash: hash.toLowerCase() };
  } catch (error) {
    if (error instanceof IndexerRequestError) return undefined;
    throw error;
  }
}

function mismatch(message: string): CheckError {
  return new CheckError(message, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Check the rollup's endpoint and the indexer's URL."],
  });
}
