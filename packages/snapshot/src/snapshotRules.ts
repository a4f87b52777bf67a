/**
 * Rules left open by L1: it checks one leaf against the root, so a tree of any shape serves. The agent that builds the tree
 * has not published its choices.
 */
export interface SnapshotRules {
  /** Rows of score 0: omitted, or included with a leaf. A claim of score 0 needs no proof. */
  readonly zeroRows: "omit" | "include";
  /** Order of the leaves: ascending by the bytes of their hashes, or as the rows were given. */
  readonly leafOrder: "bytes" | "rows";
  /** The last node of a level with an odd number of them: moves up unchanged, or is hashed with itself. */
  readonly oddNode: "promote" | "duplicate";
}

/** Leaves sorted by their bytes, an odd node promoted, rows of score 0 left out: the usual choices of sorted Merkle trees. */
export const defaultRules: SnapshotRules = { zeroRows: "omit", leafOrder: "bytes", oddNode: "promote" };
