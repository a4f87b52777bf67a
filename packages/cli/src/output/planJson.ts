import type { PushPlan } from "@vipscore/core";

/** Returns a plan for `--json`: u64 values, gas and heights as decimal text, counts as numbers. */
export function planJson(plan: PushPlan): object {
  const { counts, chain, height, packed, rows, batches, gas, price, otherEntryPoint, fees } = plan;
  return {
    height,
    chain: { total: chain.total, accounts: chain.accounts },
    ...counts,
    rowsToWrite: rows.length,
    batches: batches.length,
    packed,
    gas,
    price: price ?? null,
    otherEntryPoint:
      otherEntryPoint === undefined
        ? null
        : {
            packed: otherEntryPoint.packed,
            batches: otherEntryPoint.batches,
            gas: otherEntryPoint.gas,
            price: otherEntryPoint.price ?? null,
          },
    balance: fees?.balance ?? null,
    token: fees?.token ?? null,
  };
}
