export {
  type AccountDifference,
  auditEvidence,
  type AuditedScores,
  type AuditEvidenceOptions,
  type OpenedSources,
} from "./evidence/audit.ts";
export { AuditLog, type AuditFinding, type AuditStatus, type AuditSubject } from "./evidence/auditLog.ts";
export {
  createManifest,
  type CreateManifestOptions,
  manifestAccount,
  recoverSigner,
  type ManifestAccount,
} from "./evidence/createManifest.ts";
export { manifestName, refuseExistingScores, writeScores } from "./evidence/writeScores.ts";
export { exampleFiles, policyExamples, type ExampleOptions, type PolicyExample } from "./examples/exampleFiles.ts";
export { policySchema, readPolicy } from "./files/readPolicy.ts";
export { policyFormulas } from "./formulas/policyFormulas.ts";
export { findContracts } from "./chain/findContracts.ts";
export type { BlockRange, NftOwnerChange, NftOwners, NftOwnersPart, OpenNftOwners } from "./chain/chainSource.ts";
export {
  openPolicyChain,
  type OpenPolicyChainOptions,
  type PolicyChain,
  type PolicyWindow,
  type ResolvedWindow,
  type TimeRange,
} from "./chain/policyChain.ts";
export { openRollupNode, type BlockHead, type RollupNode } from "./chain/rollupNode.ts";
export {
  checkScores,
  policyChecks,
  type PolicyCheck,
  type PolicyFinding,
  type ScoreFacts,
} from "./check/checkScores.ts";
export { diffPolicies, type PolicyFileChange } from "./compare/diffPolicies.ts";
export { vipRules, type TeamAccount } from "./check/checkRules.ts";
export { findDropped } from "./check/findDropped.ts";
export { readRows } from "./data/readRows.ts";
export type { CollectProgress } from "./data/storedSource.ts";
export type { Policy } from "./policy.ts";
export { checkPortable, findUnportable, type Unportable } from "./portable/findUnportable.ts";
export type { Difference } from "./portable/portableNodes.ts";
export { engines, sourceViews, type Engine } from "./portable/sourceViews.ts";
export { runPolicy, type PolicyResult } from "./run/runPolicy.ts";
export type { RunPolicyOptions } from "./run/startQuery.ts";
export { collectSources, type CollectedSource, openSources, rowsText } from "./sources/openSources.ts";
export {
  columnTypes,
  integerRange,
  type ColumnType,
  type PolicySource,
  type SourceColumn,
  type SourceRow,
  type SourceValue,
  type CollectOptions,
  type SourceData,
  type ComparedBlocks,
} from "./sources/policySource.ts";
export { isOfChain, type SourceDefinition, type SourceNeed, type SourceOrigin } from "./sources/sourceDefinition.ts";
