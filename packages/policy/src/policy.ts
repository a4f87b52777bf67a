import type { Account } from "@vipscore/core";
import type { FileDigest } from "@vipscore/core/manifest";
import type { PolicyWindow } from "./chain/policyChain.ts";
import { accountOrError } from "./sources/convertValue.ts";
import type { SourceDefinition } from "./sources/sourceDefinition.ts";

/** The name of an asset or a pool: an address as lower-case hex, any other name, such as a denomination, as it is. */
export function assetName(text: string): string {
  const account = accountOrError(text);
  return typeof account === "string" ? account : text;
}

/** A policy as its folder has it. Made by `readPolicy`. */
export interface Policy {
  /** Absolute path of the folder, without symbolic links. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** Chain ID of the rollup whose accounts get the scores. */
  readonly chainId: string;
  /** Undefined if the policy names no window: then it is that of the stage on L1. */
  readonly window: PolicyWindow | undefined;
  readonly sources: readonly SourceDefinition[];
  /** The text of `policy.sql`. */
  readonly sql: string;
  /** Accounts that never get a score. */
  readonly excluded: ReadonlySet<Account>;
  /** All files that the policy names, by their paths inside the folder. */
  readonly files: ReadonlyMap<string, FileDigest>;
  /** Assets that must not be rewarded for being held: addresses as lower-case hex, other names, such as denominations, as they are. */
  readonly plainAssets: ReadonlySet<string>;
  /** What other held assets are at work in, by their names. */
  readonly productiveAssets: ReadonlyMap<string, string>;
  /** Pools to which adding liquidity must not be rewarded; undefined if the policy does not say. */
  readonly pools: ReadonlySet<string> | undefined;
  /** The largest share of the total that one account may have, in percent, as `score check` checks it; undefined if not stated. */
  readonly maxSharePercent: bigint | undefined;
  /** SHA-256, in hex, of all files that the policy names; see `policyDigest`. */
  readonly digest: string;
  /** For people: CSV files that may be cut off, since their last line has no line end. */
  readonly warnings: readonly string[];
}
