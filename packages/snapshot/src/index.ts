export { buildSnapshot, type BuildSnapshotOptions } from "./buildSnapshot.ts";
export type { Sha3 } from "./hashNodes.ts";
export {
  checkProofs,
  formatProofs,
  requireProved,
  type CheckedProofs,
  type CheckProofsOptions,
  type ProofFile,
  type ProofsTarget,
} from "./proofFile.ts";
export type { SnapshotRow } from "./readRows.ts";
export {
  defaultRules,
  Snapshot,
  verifyProof,
  type SnapshotLeaf,
  type SnapshotRules,
  type VerifyProofOptions,
} from "./snapshot.ts";
export { readStoredProof, type StoredTree, type TreePart } from "./treeParts.ts";
