import type { PolicyChain } from "../chain/policyChain.ts";
import type { PolicySource, SourceColumn } from "./policySource.ts";

/** Origin of a source besides the policy's folder; the caller hands it over in a {@link PolicyChain}. */
export type SourceNeed = "node" | "nftOwners";

/** The folder and the chain that the sources of a policy are opened from. */
export interface SourceOrigin {
  /** The policy's folder. */
  readonly folder: string;
  /** Undefined if no source needs it. */
  readonly chain: PolicyChain | undefined;
}

/** One `[[source]]` of a policy, with its settings read. */
export interface SourceDefinition {
  readonly kind: string;
  readonly name: string;
  readonly needs: readonly SourceNeed[];
  /** Its fields as `policy.toml` has them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The columns that the query sees; of transactions, those of EVM. */
  readonly columns: readonly SourceColumn[];
  /**
   * Opens the source; reads nothing yet.
   *
   * @throws InputError `CONFIG_INVALID` without what it needs; `POLICY_INVALID` for settings that the rollup does not have.
   */
  readonly open: (origin: SourceOrigin) => PolicySource;
}

/** Returns true if a source is read from the rollup. */
export function isOfChain({ needs }: Pick<SourceDefinition, "needs">): boolean {
  return needs.includes("node");
}
