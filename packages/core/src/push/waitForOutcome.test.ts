import { expect, it, vi } from "vitest";
import { accountOf, memoryContract, stageOne } from "../../test/fixtures.ts";
import { BroadcastError } from "../errors/vipError.ts";
import type { TransactionStatus } from "../scoreContract.ts";
import { waitForOutcome } from "./waitForOutcome.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

/** What a node that lags shows of a transaction in a block, by the milliseconds since it was sent. */
function lagging(show: (ms: number) => TransactionStatus) {
  const startedAt = performance.now();
  let broadcasts = 0;
  const broadcast = (): Promise<void> => {
    broadcasts += 1;
    return Promise.reject(new BroadcastError("nonce too low", { refusal: "sequence" }));
  };
  const lookUp = (): Promise<TransactionStatus> => Promise.resolve(show(performance.now() - startedAt));
  return { port: { broadcast, lookUp }, broadcasts: () => broadcasts };
}

const included = { state: "included", succeeded: true, height: 7n, gasUsed: 1n } as const;

async function signed() {
  const call = { kind: "updateScores", stage: stageOne, rows: [{ account: accountOf(1), score: 5n }] } as const;
  return memoryContract().sign(call, { sequence: 0n, gas: 10_000n });
}

it("waits for a transaction that is pending after its sequence is used: it may be in a block", async () => {
  const { port, broadcasts } = lagging((ms) => {
    if (ms < 3_000) return { state: "unknown" };
    return ms < 8_000 ? { state: "pending" } : included;
  });
  await expect(waitForOutcome(port, await signed())).resolves.toEqual(included);
  expect(broadcasts()).toBe(1);
});

it("a transaction that stays unknown after its sequence is used is dropped", async () => {
  const { port } = lagging(() => ({ state: "unknown" }));
  await expect(waitForOutcome(port, await signed())).resolves.toEqual({ state: "dropped" });
});
