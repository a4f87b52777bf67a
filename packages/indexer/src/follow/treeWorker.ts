import { parentPort, workerData } from "node:worker_threads";
import { buildSnapshot } from "@vipscore/snapshot";
import type { StageTree } from "../store/scores/scores.ts";
import { StageRows } from "../store/scores/stageRows.ts";
import type { TreeToBuild } from "./buildTree.ts";

// The thread of buildTree.

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what buildTree hands over
const { rows, ...stage } = workerData as TreeToBuild;
const snapshot = buildSnapshot({ ...stage, rows: rowsOf(StageRows.unpack(rows)) });
const tree: StageTree = { stage: stage.stage, root: snapshot.root ?? "", parts: [...snapshot.parts()] };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(tree);

function* rowsOf(unpacked: StageRows): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [account, score] of unpacked) yield { account, score };
}
