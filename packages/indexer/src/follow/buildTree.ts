import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { programBeside } from "@vipscore/core/childJob";
import type { StageTree } from "../store/scores/scores.ts";
import type { StageRows } from "../store/scores/stageRows.ts";

/** What a tree is built of. */
export interface TreeToBuild {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly total: bigint;
  /** The rows, packed by `StageRows`. */
  readonly rows: Uint8Array;
}

/**
 * Builds the Merkle tree of a stage, in a thread of its own: of a million rows it takes some 15 seconds, in which nothing else
 * would be answered.
 *
 * @throws the signal's reason when aborted.
 */
export async function buildTree(
  stage: Omit<TreeToBuild, "rows">,
  rows: StageRows,
  signal?: AbortSignal,
): Promise<StageTree> {
  const [packed = new Uint8Array()] = rows.pack(Math.max(1, rows.size));
  const workerData: TreeToBuild = { ...stage, rows: packed };
  const args = programBeside(import.meta.url, "./treeWorker");
  const worker = new Worker(args.at(-1) ?? "", { workerData, execArgv: args.slice(0, -1) });
  try {
    // An error of the thread rejects it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what treeWorker sends
    const [tree] = (await once(worker, "message", { signal })) as [StageTree];
    return tree;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
