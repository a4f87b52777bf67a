import type { Snapshot, SnapshotLeaf } from "@vipscore/snapshot";
import type { ClaimTarget } from "../../l1/claimTarget.ts";

/** Leaves in one piece of text. */
const leavesInPiece = 500;

/**
 * The text of a file of proofs, in pieces: `{"bridgeId","stage","l1":{"chainId","vipAddress","version"},"root","total",
 * "leaves":[{"address","score","proof"}]}`, a leaf on each line; `l1` is null if it is not known. Integers are decimal text,
 * because a JavaScript number cannot hold every u64.
 */
export async function* formatSnapshot(
  { bridgeId, stage, root, total }: Pick<Snapshot, "bridgeId" | "stage" | "root" | "total">,
  leaves: Iterable<SnapshotLeaf>,
  target: ClaimTarget | undefined,
): AsyncGenerator<string, void, undefined> {
  const l1 = target === undefined ? null : { ...target, version: `${target.version}` };
  const head = { bridgeId: `${bridgeId}`, stage: `${stage}`, l1, root: root ?? null, total: `${total}` };
  yield `${JSON.stringify(head).slice(0, -1)},"leaves":[`;
  let lines = "";
  let count = 0;
  for (const leaf of leaves) {
    lines += `${count === 0 ? "" : ","}\n${JSON.stringify(leafJson(leaf))}`;
    count += 1;
    if (count % leavesInPiece > 0) continue;
    yield lines;
    lines = "";
  }
  yield `${lines}\n]}\n`;
}

/** A leaf as JSON prints it. */
export function leafJson({ account, score, proof }: SnapshotLeaf): object {
  return { address: account, score: `${score}`, proof };
}
