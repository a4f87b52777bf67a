import type { PushPlan, Verification } from "@vipscore/core";

/**
 * Returns a verification from the plan's own reading of the stage, if the stage holds exactly the table; else undefined. A
 * plan compares every row, so if there is nothing to write and nothing extra, only the contract's total is left to check.
 */
export function agreementOf({ stage, table, counts, rows, chain, height }: PushPlan): Verification | undefined {
  if (rows.length > 0 || counts.extra > 0 || chain.total !== table.total) return undefined;
  const digest = table.digest();
  return {
    stage,
    height,
    agrees: true,
    isFinalized: false,
    accounts: chain.accounts,
    revision: chain.revision,
    total: { expected: table.total, contract: chain.total, rows: table.total },
    digest: { expected: digest, actual: digest },
    differences: [],
  };
}
