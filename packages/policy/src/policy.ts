import type { Account } from "@vipscore/core";
import type { ReferenceDefinition } from "./sources/referenceDefinition.ts";

/** What one `[[source]]` of a policy asks for, by its `kind`. */
export type SourceDefinition = ReferenceDefinition;

/** The heights of the rollup that a policy counts, both included. */
export interface PolicyWindow {
  readonly first: bigint;
  readonly last: bigint;
}

/** A policy as its folder has it. Made by `readPolicy`. */
export interface Policy {
  /** Absolute path of the folder, without symbolic links. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Chain ID of the rollup whose accounts get the scores. */
  readonly chainId: string;
  /** Undefined if the policy names no window. */
  readonly window: PolicyWindow | undefined;
  readonly sources: readonly SourceDefinition[];
  /** The text of `policy.sql`. */
  readonly sql: string;
  /** Accounts that never get a score. */
  readonly excluded: ReadonlySet<Account>;
  /** SHA-256, in hex, of all files that the policy names; see `policyDigest`. */
  readonly digest: string;
}
