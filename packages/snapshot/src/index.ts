export { buildSnapshot, type BuildSnapshotOptions } from "./buildSnapshot.ts";
export type { SnapshotRow } from "./readRows.ts";
export type { Sha3 } from "./sha3.ts";
export { Snapshot, type SnapshotLeaf } from "./snapshot.ts";
export { defaultRules, type SnapshotRules } from "./snapshotRules.ts";
export { verifyProof, type VerifyProofOptions } from "./verifyProof.ts";
