import { requireAgreement, ScoreTable, type ScoreContract } from "@vipscore/core";
import { pushAll, rowsOf } from "./rows.ts";

const first = ScoreTable.from(rowsOf(30));
const second = ScoreTable.from(rowsOf(30).map(({ account, score }) => ({ account, score: score + 1n })));

/** Pushes a table and then other scores of its accounts, as the command does. Both must agree. */
export async function pushTwice(
  contract: ScoreContract,
  take: <T>(step: string, act: () => Promise<T>) => Promise<T>,
): Promise<void> {
  for (const [step, table] of [
    ["push", first],
    ["second push", second],
  ] as const) {
    await take(step, async () => {
      const last = (await pushAll(contract, table)).at(-1);
      if (last?.type !== "verified") throw new Error("the push ended without a verification");
      requireAgreement(last.verification);
    });
  }
}
