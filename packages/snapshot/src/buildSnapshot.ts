import { defaultSha3, hashBytes, hashLeaf, hashLevel, requireU64, sortByBytes, type Sha3 } from "./hashNodes.ts";
import { readRows, type FlatRows, type SnapshotRow } from "./readRows.ts";
import { defaultRules, Snapshot, type SnapshotRules } from "./snapshot.ts";

export interface BuildSnapshotOptions {
  /** The rollup's bridge ID on L1. */
  readonly bridgeId: bigint;
  readonly stage: bigint;
  /** The score of each account in the stage. */
  readonly rows: Iterable<SnapshotRow>;
  /** The stage's total score, which every leaf commits to. */
  readonly total: bigint;
  /** Default: {@link defaultRules}. */
  readonly rules?: SnapshotRules;
  /** Hash function of leaves and nodes. Default: Node's own SHA3-256; in browsers that of JavaScript, which is slow. */
  readonly sha3?: Sha3;
}

/**
 * Builds the Merkle tree by which L1 pays the rewards of one stage. Only L1's own root shows that the agent built the same
 * tree: see {@link SnapshotRules}.
 *
 * A leaf is SHA3-256 of bridge ID and stage (u64, little-endian), the account's 32 bytes, its score and the total (u64,
 * little-endian); a node is SHA3-256 of its two children, the smaller first.
 *
 * @throws InputError `INPUT_INVALID` with an issue for each row that cannot be used or repeats an account, if the scores
 * do not add up to the total, or if a number exceeds u64.
 * @example
 * const { root } = buildSnapshot({ bridgeId: 1n, stage: 12n, rows: table, total: table.total });
 */
export function buildSnapshot({
  bridgeId,
  stage,
  rows,
  total,
  rules = defaultRules,
  sha3 = defaultSha3,
}: BuildSnapshotOptions): Snapshot {
  requireU64("bridge ID", bridgeId);
  requireU64("stage", stage);
  requireU64("total", total);
  const flat = readRows(rows, total);
  const leafRows = orderLeaves({ bridgeId, stage, total }, flat, rules, sha3);
  const levels = [leafRows.leaves];
  for (let level = leafRows.leaves; level.length > hashBytes; levels.push(level)) level = hashLevel(level, rules, sha3);
  return new Snapshot({ bridgeId, stage, total }, flat, { rowOfLeaf: leafRows.rowOfLeaf, levels, rules });
}

interface Leaves {
  /** 32 bytes a leaf. */
  readonly leaves: Uint8Array;
  readonly rowOfLeaf: Uint32Array;
}

function orderLeaves(
  stage: { readonly bridgeId: bigint; readonly stage: bigint; readonly total: bigint },
  { addresses, scores }: FlatRows,
  { zeroRows, leafOrder }: SnapshotRules,
  sha3: Sha3,
): Leaves {
  const rows: Uint32Array = Uint32Array.from(scores.keys()).filter(
    (row) => zeroRows === "include" || scores[row] !== 0n,
  );
  const hashes = new Uint8Array(hashBytes * rows.length);
  for (const [leaf, row] of rows.entries()) {
    const address = addresses.subarray(hashBytes * row, hashBytes * (row + 1));
    hashes.set(hashLeaf({ ...stage, address, score: scores[row] ?? 0n }, sha3), hashBytes * leaf);
  }
  if (leafOrder === "rows") return { leaves: hashes, rowOfLeaf: rows };
  const order = sortByBytes(hashes);
  const leaves = new Uint8Array(hashes.length);
  for (const [place, leaf] of order.entries()) {
    leaves.set(hashes.subarray(hashBytes * leaf, hashBytes * (leaf + 1)), hashBytes * place);
  }
  return { leaves, rowOfLeaf: order.map((leaf) => rows[leaf] ?? 0) };
}
