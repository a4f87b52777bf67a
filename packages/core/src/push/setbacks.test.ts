import { describe, expect, it, vi } from "vitest";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import { stopClock } from "../../test/virtualTime.ts";
import type { SignedTransaction } from "../scoreContract.ts";
import type { ScoreRow } from "../table/scoreTable.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { readStage } from "./readStage.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

/** Pushes rows to a chain whose receipts distort the gas like this. Returns the confirmed rows and the largest gas limit. */
async function sentOf(rows: number, distortGas: (used: bigint) => bigint) {
  const contract = memoryContract();
  contract.distortGas = distortGas;
  const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(rows))));
  const limits = events.flatMap((event) => (event.type === "sent" ? [event.gas] : []));
  return { rows: contract.written.length, largest: limits.reduce((most, gas) => (gas > most ? gas : most)) };
}

describe("setbacks", () => {
  it("halves batches that the node refuses as too large", async () => {
    const contract = memoryContract();
    contract.fate = (_, transaction) => (transaction.bytes.length > 2_500 ? "too-large" : "take");
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(100))));
    expect(events.at(-1)).toMatchObject({ type: "verified" });
    expect(contract.written).toHaveLength(100);
  });

  describe("an endpoint that closes the connection of large transactions", () => {
    const largeContract = () => {
      const contract = memoryContract();
      contract.limits = { ...contract.limits, maxGas: 181_000n, maxBytes: 128_100 };
      return contract;
    };
    const table = tableOf(2_000);

    it("gets smaller ones once no node can have the large one", async () => {
      const contract = largeContract();
      contract.fate = (_, { bytes }) => (bytes.length > 20_000 ? "reset" : "take");
      const startedAt = performance.now();
      const events = await collect(push(contract, await planPush(contract, stageOne, table)));
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
      expect(contract.written).toHaveLength(2_000);
      const setbacks = events.flatMap((event) => (event.type === "setback" ? [event.error] : []));
      expect(setbacks).toMatchObject(setbacks.map(() => ({ refusal: "too-large" })));
      // Five seconds for each size, in place of 30.
      expect(performance.now() - startedAt).toBeLessThan(5_600 * setbacks.length);
    });

    it("may take the large one after all: no row is written twice by both", async () => {
      const contract = largeContract();
      let late: SignedTransaction | undefined;
      let isReleased = false;
      contract.fate = (_, transaction) => {
        late ??= transaction;
        if (transaction.hash === late.hash) return isReleased ? "take" : "reset";
        if (!isReleased) {
          isReleased = true;
          // It arrives right before the smaller one, which has its sequence.
          void contract.broadcast(late);
        }
        return "take";
      };
      const events = await collect(push(contract, await planPush(contract, stageOne, table)));
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true }, otherWrites: 0n });
      expect(new Set(contract.written.map(({ account }) => account)).size).toBe(2_000);
      expect(contract.written).toHaveLength(2_000);
    });

    it("keeps a small one in doubt for as long as before", async () => {
      const contract = memoryContract();
      contract.fate = () => "reset";
      const startedAt = performance.now();
      await expect(collect(push(contract, await planPush(contract, stageOne, tableOf(50))))).rejects.toMatchObject({
        code: "NODE_UNREACHABLE",
      });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(30_000);
    });
  });

  it("raises gas limits and shrinks batches when the chain charges more than the model", async () => {
    const contract = memoryContract();
    contract.realGas = { base: 2_000n, row: 300n };
    const events = await collect(
      push(contract, await planPush(contract, stageOne, tableOf(200), { maxFee: 10n ** 7n })),
    );
    expect(events.some((event) => event.type === "setback")).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "verified" });
    expect(contract.written).toHaveLength(200);
  });

  it("says that batches ran out of gas, and then does not trust receipts after refunds again", async () => {
    const contract = memoryContract();
    // Some of the gas is refunded at the end, so a limit by the receipt is too low.
    contract.distortGas = (used) => (used * 7n) / 10n;
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(5_000))));
    expect(contract.written).toHaveLength(5_000);
    const setbacks = events.flatMap((event) => (event.type === "setback" ? [event.error] : []));
    // Those of one round, which were in flight.
    expect(setbacks.length).toBeLessThanOrEqual(9);
    expect(setbacks[0]).toMatchObject({
      code: "TRANSACTION_FAILED",
      shortMessage: expect.stringMatching(/\bgas$/) as string,
    });
    expect(events.filter(({ type }) => type === "replanned").length).toBeLessThanOrEqual(1);
  });

  it("makes larger batches when the chain charges less", async () => {
    const contract = memoryContract();
    contract.realGas = { base: 100n, row: 10n };
    const plan = await planPush(contract, stageOne, tableOf(1_000));
    expect(plan.batches).toHaveLength(10);
    const events = await collect(push(contract, plan));
    expect(events.filter((event) => event.type === "sent").length).toBeLessThan(6);
  });

  it("finds the reason for a failed batch in the state", async () => {
    const contract = memoryContract();
    contract.beforeExecute = (_, state) => {
      const first = state.stages.get(stageOne);
      if (first !== undefined) first.isFinalized = true;
    };
    const plan = await planPush(contract, stageOne, tableOf(10));
    await expect(collect(push(contract, plan))).rejects.toMatchObject({
      code: "STAGE_FINALIZED",
      txHash: expect.any(String) as string,
    });
    expect(contract.written).toHaveLength(0);
  });

  it("stops after half a minute without progress", async () => {
    const contract = memoryContract();
    contract.fate = () => "other";
    const plan = await planPush(contract, stageOne, tableOf(10));
    const startedAt = performance.now();
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "NO_PROGRESS" });
    expect(performance.now() - startedAt).toBe(30_000);
    expect(contract.submissions).toBeLessThan(12);
  });

  it("waits between rounds for a node that temporarily accepts nothing", async () => {
    const contract = memoryContract();
    const startedAt = performance.now();
    contract.fate = () => (performance.now() - startedAt < 20_000 ? "other" : "take");
    await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(contract.written).toHaveLength(250);
  });

  it("stops after three rounds that fail in blocks, which cost fees", async () => {
    const contract = memoryContract();
    contract.limits = { ...contract.limits, maxGas: 1_200n };
    contract.realGas = { base: 5_000n, row: 100n };
    const plan = await planPush(contract, stageOne, tableOf(10));
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "NO_PROGRESS" });
    // Three in the first round, and then one at a time.
    expect(contract.submissions).toBe(5);
  });

  it("reads the price again if the node refuses it, without a setback", async () => {
    const contract = memoryContract();
    contract.fate = (n) => {
      if (n === 2) contract.nodePrice = 7n;
      return "take";
    };
    const plan = await planPush(contract, stageOne, tableOf(250), { maxFee: 10n ** 6n });
    const events = await collect(push(contract, plan));
    expect(events.map(({ type }) => type)).not.toContain("setback");
    expect(contract.written).toHaveLength(250);
  });

  it("fills the gap of a transaction that the node lost and then refuses because of its price", async () => {
    const contract = memoryContract();
    contract.automine = false;
    stopClock(() => contract.mine());
    contract.fate = (n) => {
      // The price rises once others wait behind the lost one.
      if (n === 4) contract.nodePrice = 7n;
      return n === 2 ? "forget" : "take";
    };
    const startedAt = performance.now();
    const plan = await planPush(contract, stageOne, tableOf(1_000), { maxFee: 10n ** 7n });
    const events = await collect(push(contract, plan));
    expect(events.at(-1)).toMatchObject({ type: "verified" });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(contract.written).toHaveLength(1_000);
  });

  it("ignores a receipt with more gas than the limit in its calibration", async () => {
    const honest = await sentOf(250, (gas) => gas);
    const lied = await sentOf(250, (gas) => gas * 1_000n);
    expect(lied.rows).toBe(250);
    expect(lied.largest).toBeLessThanOrEqual(honest.largest);
  });

  it("reports which transaction is still pending past the timeout", async () => {
    const contract = memoryContract();
    contract.automine = false;
    const plan = await planPush(contract, stageOne, tableOf(10));
    const pushed = collect(push(contract, plan, { inclusionTimeoutMs: 400 }));
    await expect(pushed).rejects.toMatchObject({ code: "PENDING_TRANSACTIONS" });
  });

  it("resolves a lost answer by hash and never sends a row twice", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n % 2 === 0 ? "lose-answer" : "take");
    await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(contract.written).toHaveLength(250);
  });

  it("broadcasts lost and forgotten transactions again", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n === 0 ? "lose-request" : n === 2 ? "forget" : "take");
    await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(contract.written).toHaveLength(250);
  });

  it("continues with the next sequence when another program took one", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n === 1 ? "sequence" : "take");
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(events.filter((event) => event.type === "setback")).toHaveLength(1);
    expect(contract.written).toHaveLength(250);
  });

  it("signs again for a node that requires another form, without a setback", async () => {
    const contract = memoryContract();
    // Both of the first request with several.
    contract.fate = (n) => (n === 1 || n === 2 ? "resign" : "take");
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(events.map(({ type }) => type)).not.toContain("setback");
    expect(contract.written).toHaveLength(250);
  });

  it("gives up signing again for a node that accepts no form", async () => {
    const contract = memoryContract();
    contract.fate = () => "resign";
    const pushed = collect(push(contract, await planPush(contract, stageOne, tableOf(10))));
    await expect(pushed).rejects.toMatchObject({ code: "NO_PROGRESS" });
    expect(contract.submissions % 4).toBe(0);
  });

  it("50 setbacks cause no extra reads: the stage is read at the start and at the end", async () => {
    const contract = memoryContract();
    const table = tableOf(100_000);
    contract.limits = { ...contract.limits, maxGas: 181_000n, maxBytes: 128_100 };
    contract.tamper(({ stages }) => {
      for (const { account } of table) stages.get(stageOne)?.scores.set(account, 7n);
    });
    const pagesOfStage = table.size / 10;
    const plan = await planPush(contract, stageOne, table);
    expect(contract.pagesRead).toBe(pagesOfStage);
    let setbacks = 0;
    contract.fate = (n) => (n % 2 === 1 && setbacks < 50 ? ((setbacks += 1), "sequence") : "take");
    const events = await collect(push(contract, plan));
    expect(events.filter((event) => event.type === "setback")).toHaveLength(50);
    expect(contract.written).toHaveLength(plan.rows.length);
    expect(contract.pagesRead).toBe(2 * pagesOfStage);
  });

  it("writes rows again that an old transaction overwrote in between", async () => {
    const contract = memoryContract();
    const plan = await planPush(contract, stageOne, tableOf(250));
    contract.fate = (n) => {
      if (n !== 2) return "take";
      contract.tamper((state) => state.stages.get(stageOne)?.scores.set(accountOf(2), 1n));
      return "sequence";
    };
    const events = await collect(push(contract, plan));
    expect(events.filter((event) => event.type === "replanned")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
    expect(contract.written).toHaveLength(251);
  });

  it.each([
    ["a page lacks a row", (page: readonly ScoreRow[]) => page.slice(1)],
    ["a page repeats a row", (page: readonly ScoreRow[]) => [...page, ...page.slice(0, 1)]],
    ["a page has old scores", (page: readonly ScoreRow[]) => page.map((row) => ({ ...row, score: 0n }))],
  ])("waits ten seconds for nodes that silently answer from an older state: %s", async (_, distort) => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    const startedAt = performance.now();
    contract.distortPage = (page) => (performance.now() - startedAt < 9_000 ? distort(page) : page);
    const { scores } = await readStage(contract, stageOne);
    expect(scores.size).toBe(30);
    expect(scores.total).toBe(tableOf(30).total);
  });

  it("refuses pages that still come from different states after ten seconds", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    const startedAt = performance.now();
    contract.distortPage = (page) => page.slice(1);
    await expect(readStage(contract, stageOne)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(performance.now() - startedAt).toBe(10_000);
  });

  it("reads once more if one read takes longer than that", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    const startedAt = performance.now();
    contract.distortPage = (page) => {
      if (performance.now() - startedAt > 60_000) return page;
      vi.advanceTimersByTime(30_000);
      return page.slice(1);
    };
    expect((await readStage(contract, stageOne)).scores.size).toBe(30);
  });

  it("ends on abort with the signal's reason", async () => {
    const contract = memoryContract();
    const controller = new AbortController();
    const reason = new Error("stop");
    contract.fate = (n) => {
      if (n === 1) controller.abort(reason);
      return "take";
    };
    const plan = await planPush(contract, stageOne, tableOf(250));
    await expect(collect(push(contract, plan, { signal: controller.signal }))).rejects.toBe(reason);
    // The second was in the same request.
    expect(contract.submissions).toBe(3);
    expect(contract.requests).toEqual([2]);
  });

  it("fails verification when another writer changes a score meanwhile", async () => {
    const contract = memoryContract();
    const plan = await planPush(contract, stageOne, tableOf(5));
    const events = push(contract, plan);
    await events.next();
    await events.next();
    contract.tamper((state) => state.stages.get(stageOne)?.scores.set(accountOf(2), 1n));
    await expect(collect(events)).rejects.toMatchObject({ code: "VERIFY_MISMATCH" });
  });
});
