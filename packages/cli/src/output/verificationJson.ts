import type { Verification } from "@vipscore/core";

/** A verification as `--json` prints it: u64 values and heights as decimal text. */
export interface VerificationJson {
  readonly agrees: boolean;
  readonly isFinalized: boolean;
  readonly height: bigint;
  /** Accounts with a row in the stage. */
  readonly accounts: number;
  /** The stage's revision; null if the contract has no revisions. */
  readonly revision: bigint | null;
  readonly total: { readonly file: bigint; readonly contract: bigint; readonly rows: bigint };
  readonly sha256: { readonly file: string; readonly chain: string };
  readonly differences: readonly {
    readonly account: string;
    readonly file: bigint | null;
    readonly chain: bigint | null;
  }[];
}

/** Returns a verification for `--json`. */
export function verificationJson(found: Verification): VerificationJson {
  const { agrees, isFinalized, height, accounts, revision, total, digest } = found;
  return {
    agrees,
    isFinalized,
    height,
    accounts,
    revision: revision ?? null,
    total: { file: total.expected, contract: total.contract, rows: total.rows },
    sha256: { file: digest.expected, chain: digest.actual },
    differences: found.differences.map(({ account, expected, actual }) => ({
      account,
      file: expected ?? null,
      chain: actual ?? null,
    })),
  };
}
