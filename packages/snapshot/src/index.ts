export { buildSnapshot, type BuildSnapshotOptions } from "./buildSnapshot.ts";
export type { SnapshotRow } from "./readRows.ts";
export type { Sha3 } from "./sha3.ts";
export { defaultRules, Snapshot, type SnapshotLeaf, type SnapshotRules } from "./snapshot.ts";
export { verifyProof, type VerifyProofOptions } from "./verifyProof.ts";
