import type { Snapshot, SnapshotLeaf } from "@vipscore/snapshot";

/** Leaves in one piece of text. */
const leavesInPiece = 500;

/**
 * The text of a file of proofs, in pieces: `{"bridgeId","stage","root","total","leaves":[{"address","score","proof"}]}`, a
 * leaf on each line. Integers are decimal text, because a JavaScript number cannot hold every u64.
 */
export async function* formatSnapshot(
  { bridgeId, stage, root, total }: Pick<Snapshot, "bridgeId" | "stage" | "root" | "total">,
  leaves: Iterable<SnapshotLeaf>,
): AsyncGenerator<string, void, undefined> {
  const head = { bridgeId: `${bridgeId}`, stage: `${stage}`, root: root ?? null, total: `${total}` };
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
