import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { finalizeStage } from "../src/push/finalizeStage.ts";
import { planPush } from "../src/push/planPush.ts";
import { push } from "../src/push/push.ts";
import { verifyScores } from "../src/push/verifyScores.ts";
import { u64Max } from "../src/score.ts";
import { stage } from "../src/stage.ts";
import { ScoreTable } from "../src/table/scoreTable.ts";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "./fixtures.ts";
import { stopClock } from "./virtualTime.ts";

vi.mock("../src/push/pause.ts", () => import("./virtualTime.ts"));
beforeEach(() => stopClock());
afterEach(() => vi.useRealTimers());

describe("a push that nothing disturbs", () => {
  it("writes every row once, verifies, and has nothing to do the second time", async () => {
    const contract = memoryContract();
    const table = tableOf(250);
    const plan = await planPush(contract, stageOne, table);
    expect(plan.counts).toEqual({ add: 250, change: 0, unchanged: 0, toZero: 0, extra: 0 });
    const events = await collect(push(contract, plan));
    expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 250 } });
    expect(contract.written).toHaveLength(250);

    const again = await planPush(contract, stageOne, table);
    expect(again).toMatchObject({ rows: [], gas: 0n, price: 0n, counts: { unchanged: 250 } });
    await collect(push(contract, again));
    expect(contract.written).toHaveLength(250);
  });

  it("sends only what differs", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(100))));
    contract.written.length = 0;
    const changed = tableOf(120, (n) => (n < 10 ? 5n : 1_000n + BigInt(n)));
    const plan = await planPush(contract, stageOne, changed);
    expect(plan.counts).toEqual({ add: 20, change: 10, unchanged: 90, toZero: 0, extra: 0 });
    await collect(push(contract, plan));
    expect(contract.written).toHaveLength(30);
  });

  it("takes an absent row and a score of 0 for the same", async () => {
    const contract = memoryContract();
    const table = tableOf(3, (n) => BigInt(n));
    const plan = await planPush(contract, stageOne, table);
    expect(plan.counts).toMatchObject({ add: 2, unchanged: 1 });
    await collect(push(contract, plan));
    expect(await verifyScores(contract, stageOne, table)).toMatchObject({ agrees: true, accounts: 2 });
  });

  it("keeps scores exact up to 2^64 - 1", async () => {
    const contract = memoryContract();
    const table = tableOf(2, (n) => (n === 0 ? u64Max - 9_007_199_254_740_993n : 9_007_199_254_740_993n));
    await collect(push(contract, await planPush(contract, stageOne, table)));
    expect(await contract.getScore(stageOne, accountOf(0))).toBe(u64Max - 9_007_199_254_740_993n);
    expect(await contract.getScore(stageOne, accountOf(1))).toBe(9_007_199_254_740_993n);
  });

  it("lowers scores first where the total would exceed u64 on the way", async () => {
    const contract = memoryContract();
    await collect(
      push(
        contract,
        await planPush(
          contract,
          stageOne,
          tableOf(2, (n) => (n === 0 ? 1n : u64Max - 1n)),
        ),
      ),
    );
    const swapped = tableOf(2, (n) => (n === 0 ? u64Max - 1n : 1n));
    const events = await collect(push(contract, await planPush(contract, stageOne, swapped)));
    expect(events.map((event) => event.type)).not.toContain("setback");
    expect(events.at(-1)).toMatchObject({ type: "verified" });
  });
});

describe("accounts that the table does not name", () => {
  it("are refused before anything is sent, or set to 0 with prune", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    const sent = contract.handOvers;
    const plan = await planPush(contract, stageOne, tableOf(20));
    expect(plan.counts).toMatchObject({ unchanged: 20, extra: 10 });
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "EXTRA_ACCOUNTS" });
    expect(contract.handOvers).toBe(sent);

    const pruning = await planPush(contract, stageOne, tableOf(20), { prune: true });
    expect(pruning.counts).toMatchObject({ unchanged: 20, toZero: 10, extra: 0 });
    await collect(push(contract, pruning));
    expect(await verifyScores(contract, stageOne, tableOf(20))).toMatchObject({ agrees: true, accounts: 30 });
  });
});

describe("what a push refuses before it sends", () => {
  it("a stage that is not there, finalized, or not the signer's to write", async () => {
    const contract = memoryContract();
    await expect(planPush(contract, stage(2n), tableOf(1))).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
    await finalizeStage(contract, stageOne, { expect: ScoreTable.from([]) });
    await expect(planPush(contract, stageOne, tableOf(1))).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
    contract.signer = accountOf(7);
    await expect(planPush(contract, stage(2n), tableOf(1))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    contract.signer = undefined;
    const readOnly = await planPush(contract, stage(2n), tableOf(1));
    expect(readOnly).toMatchObject({ price: undefined, counts: { add: 1 } });
    await expect(collect(push(contract, readOnly))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(contract.handOvers).toBe(1);
  });

  it("a fee that the balance does not cover", async () => {
    const contract = memoryContract();
    contract.fees = { ...contract.fees, balance: 10n };
    const plan = await planPush(contract, stageOne, tableOf(1));
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    expect(contract.handOvers).toBe(0);
  });

  it("pages of different states", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    contract.distortPage = (page) => page.slice(1);
    await expect(planPush(contract, stageOne, tableOf(30))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
    contract.distortPage = (page) => [...page, ...page.slice(0, 1)];
    await expect(planPush(contract, stageOne, tableOf(30))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });
});

/** Pushes so many rows to a chain whose receipts tell the gas like this: the rows confirmed, the largest gas limit. */
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

  it("raises gas limits and shrinks batches when the chain charges more than the model", async () => {
    const contract = memoryContract();
    contract.realGas = { base: 2_000n, row: 300n };
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(200))));
    expect(events.some((event) => event.type === "setback")).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "verified" });
    expect(contract.written).toHaveLength(200);
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
    contract.beforeExecute = () => undefined;
    const plan = await planPush(contract, stageOne, tableOf(10));
    contract.tamper((state) => {
      const first = state.stages.get(stageOne);
      if (first !== undefined) first.isFinalized = true;
    });
    await expect(collect(push(contract, plan))).rejects.toMatchObject({
      code: "STAGE_FINALIZED",
      txHash: expect.any(String) as string,
    });
    expect(contract.written).toHaveLength(0);
  });

  it("stops when nothing moves for half a minute", async () => {
    const contract = memoryContract();
    contract.fate = () => "other";
    const plan = await planPush(contract, stageOne, tableOf(10));
    const startedAt = performance.now();
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "NO_PROGRESS" });
    expect(performance.now() - startedAt).toBe(30_000);
    expect(contract.handOvers).toBeLessThan(12);
  });

  it("waits between rounds for a node that takes nothing for a while", async () => {
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
    expect(contract.handOvers).toBe(3);
  });

  it("asks for the price again where the node refuses it, without a setback", async () => {
    const contract = memoryContract();
    contract.fate = (n) => {
      if (n === 2) contract.nodePrice = 7n;
      return "take";
    };
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(events.map(({ type }) => type)).not.toContain("setback");
    expect(contract.written).toHaveLength(250);
  });

  it("fills the gap of a transaction that the node lost, and then refuses for its price", async () => {
    const contract = memoryContract();
    contract.automine = false;
    stopClock(() => contract.mine());
    contract.fate = (n) => {
      // The price rises once others wait behind the lost one.
      if (n === 4) contract.nodePrice = 7n;
      return n === 2 ? "forget" : "take";
    };
    const startedAt = performance.now();
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(1_000))));
    expect(events.at(-1)).toMatchObject({ type: "verified" });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(contract.written).toHaveLength(1_000);
  });

  it("does not calibrate by a receipt that names more gas than the limit", async () => {
    const honest = await sentOf(250, (gas) => gas);
    const lied = await sentOf(250, (gas) => gas * 1_000n);
    expect(lied.rows).toBe(250);
    expect(lied.largest).toBeLessThanOrEqual(honest.largest);
  });

  it("tells which transaction is still pending past the timeout", async () => {
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

  it("hands over again what never arrived and what the node forgot", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n === 0 ? "lose-request" : n === 2 ? "forget" : "take");
    await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(contract.written).toHaveLength(250);
  });

  it("goes on with the next sequence when another program took one", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n === 1 ? "sequence" : "take");
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(events.filter((event) => event.type === "setback")).toHaveLength(1);
    expect(contract.written).toHaveLength(250);
  });

  it("signs again for a node that takes another form, without a setback", async () => {
    const contract = memoryContract();
    contract.fate = (n) => (n === 1 ? "resign" : "take");
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(250))));
    expect(events.map(({ type }) => type)).not.toContain("setback");
    expect(contract.written).toHaveLength(250);
  });

  it("gives up signing again for a node that takes no form", async () => {
    const contract = memoryContract();
    contract.fate = () => "resign";
    const pushed = collect(push(contract, await planPush(contract, stageOne, tableOf(10))));
    await expect(pushed).rejects.toMatchObject({ code: "NO_PROGRESS" });
    expect(contract.handOvers % 4).toBe(0);
  });

  it("50 setbacks cost no reading: the stage is read at the start and at the end", async () => {
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

  it("writes again what an old transaction overwrote in between", async () => {
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

  it("ends at the abort, with the signal's reason", async () => {
    const contract = memoryContract();
    const controller = new AbortController();
    const reason = new Error("stop");
    contract.fate = (n) => {
      if (n === 1) controller.abort(reason);
      return "take";
    };
    const plan = await planPush(contract, stageOne, tableOf(250));
    await expect(collect(push(contract, plan, { signal: controller.signal }))).rejects.toBe(reason);
    expect(contract.handOvers).toBe(2);
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
