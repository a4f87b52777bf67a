export { policyDigest } from "./files/policyDigest.ts";
export type { FileDigest } from "./files/policyFile.ts";
export { readPolicy } from "./files/readPolicy.ts";
export type { Policy, PolicyWindow, SourceDefinition } from "./policy.ts";
export type { CollectedSource } from "./run/policyDatabase.ts";
export { runPolicy, type PolicyResult, type RunPolicyOptions } from "./run/runPolicy.ts";
export { openSources } from "./sources/openSources.ts";
export {
  columnTypes,
  integerRange,
  type ColumnType,
  type PolicySource,
  type SourceColumn,
  type SourceRow,
  type SourceValue,
} from "./sources/policySource.ts";
export type { ReferenceDefinition } from "./sources/referenceDefinition.ts";
export { SourceDigest } from "./sources/sourceDigest.ts";
