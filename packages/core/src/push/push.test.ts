import { describe, expect, it, vi } from "vitest";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import { stage, u64Max } from "../stage.ts";
import { ScoreTable } from "../table/scoreTable.ts";
import { finalizeStage } from "./finalizeStage.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { verifyScores } from "./verifyScores.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

describe("an undisturbed push", () => {
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

  it("treats a missing row and a score of 0 the same", async () => {
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

  it("lowers scores first if the total would temporarily exceed u64", async () => {
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

describe("accounts missing from the table", () => {
  it("are refused before anything is sent, or set to 0 with prune", async () => {
    const contract = memoryContract();
    await collect(push(contract, await planPush(contract, stageOne, tableOf(30))));
    const sent = contract.submissions;
    const plan = await planPush(contract, stageOne, tableOf(20));
    expect(plan.counts).toMatchObject({ unchanged: 20, extra: 10 });
    await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "EXTRA_ACCOUNTS" });
    expect(contract.submissions).toBe(sent);

    const pruning = await planPush(contract, stageOne, tableOf(20), { prune: true });
    expect(pruning.counts).toMatchObject({ unchanged: 20, toZero: 10, extra: 0 });
    await collect(push(contract, pruning));
    expect(await verifyScores(contract, stageOne, tableOf(20))).toMatchObject({ agrees: true, accounts: 30 });
  });
});

describe("before it sends, a push refuses", () => {
  it("a stage that does not exist, is finalized, or that the signer may not write", async () => {
    const contract = memoryContract();
    await expect(planPush(contract, stage(2n), tableOf(1))).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
    await finalizeStage(contract, stageOne, { expect: ScoreTable.from([]) });
    await expect(planPush(contract, stageOne, tableOf(1))).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
    contract.signer = accountOf(7);
    await expect(planPush(contract, stage(2n), tableOf(1))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    contract.signer = undefined;
    const readOnly = await planPush(contract, stage(2n), tableOf(1));
    expect(readOnly).toMatchObject({ price: 1_100n, fees: undefined, counts: { add: 1 } });
    await expect(collect(push(contract, readOnly))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(contract.submissions).toBe(1);
  });

  it("a fee that the balance does not cover", async () => {
    const contract = memoryContract();
    contract.fees = { ...contract.fees, balance: 10n, token: { symbol: "GAS", decimals: 3 } };
    const plan = await planPush(contract, stageOne, tableOf(1));
    await expect(collect(push(contract, plan))).rejects.toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      message: expect.stringMatching(/\b1\.1 GAS, .*\b0\.01 GAS\n/) as string,
    });
    expect(contract.submissions).toBe(0);
  });
});

describe("a packed push", () => {
  it("writes the rows that the packed entry point accepts through it, the others in separate batches, and verifies all", async () => {
    const contract = memoryContract();
    const plan = await planPush(contract, stageOne, tableOf(250), { packed: true });
    expect(plan.batches.map(({ rows }) => rows.some(({ packed }) => packed))).toEqual([true, true, false]);
    const events = await collect(push(contract, plan));
    expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 250 } });
    expect(contract.calls.map((call) => call.kind === "updateScores" && [call.packed, call.rows.length])).toEqual([
      [true, 200],
      [true, 49],
      [false, 1],
    ]);
  });

  it("returns the cost of the other entry point on request", async () => {
    const contract = memoryContract();
    const table = tableOf(50);
    const published = await planPush(contract, stageOne, table, { compareEntryPoints: true });
    const packed = await planPush(contract, stageOne, table, { packed: true, compareEntryPoints: true });
    expect(published.otherEntryPoint).toEqual({ packed: true, batches: 2, gas: packed.gas, price: packed.price });
    expect(packed.otherEntryPoint).toMatchObject({ packed: false, gas: published.gas, price: published.price });
    expect((await planPush(contract, stageOne, table)).otherEntryPoint).toBeUndefined();
  });

  it("is refused on a reference contract, which has one entry point", async () => {
    const contract = memoryContract({ isReference: true });
    await expect(planPush(contract, stageOne, tableOf(1), { packed: true })).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
    });
    const plan = await planPush(contract, stageOne, tableOf(1), { compareEntryPoints: true });
    expect(plan.otherEntryPoint).toBeUndefined();
  });
});
