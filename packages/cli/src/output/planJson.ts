import type { PushPlan } from "@vipscore/core";

/** What `--json` prints of a plan: u64 values, gas and heights as decimal text, counts as numbers. */
export function planJson(plan: PushPlan): object {
  const { counts, chain, height, rows, batches, gas, price, fees } = plan;
  return {
    height,
    chain: { total: chain.total, accounts: chain.accounts },
    ...counts,
    rowsToWrite: rows.length,
    batches: batches.length,
    gas,
    price: price ?? null,
    balance: fees?.balance ?? null,
    token: fees?.token ?? null,
  };
}
