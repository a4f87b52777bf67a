import type { PushPlan, Verification } from "@vipscore/core";

/**
 * The verification that the plan's own reading of the stage amounts to, where that showed that the stage holds exactly the
 * table; else undefined. A plan compares every row, so one that has nothing to write and nothing extra leaves only the
 * contract's total to look at.
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
