import {
  exitStatusOf,
  finalizeStage,
  planPush,
  ScoreTable,
  stage as stageOf,
  u64Max,
  verifyScores,
} from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea } from "../scenario.ts";
import { until } from "../sendTransaction.ts";
import type { Subject } from "../subject.ts";
import { beforeBroadcast, pushAll } from "./clientSteps.ts";
import { accountOf, done, expectStage, rowsOf, scored, stateOf } from "./expectations.ts";

const one = stageOf(1n);

/** A contract with scores 10 and 20 in stage 1, and alice as a second member who may change them. */
async function pushTwoRows(subject: Subject) {
  const contract = await subject.deploy({ members: ["alice"] });
  const port = await contract.port("creator");
  const table = ScoreTable.from(scored(10n, 20n));
  await pushAll(port, table);
  return { contract, port, table };
}

export const clientScenarios = inArea("client", "client", {
  "push-verify-finalize": {
    name: "a table is pushed, verified and finalized, and the next stage is open",
    rules: ["R2", "R4", "R7"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(120));
      // A contract may need more gas than the client's model says: a batch that runs out of it is sent again.
      const events = await pushAll(port, table);
      expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true, accounts: 120 } });
      const { verification } = await finalizeStage(port, one, { expect: table });
      expect(verification).toMatchObject({ agrees: true, total: { contract: table.total, rows: table.total } });
      await expectStage(contract, rowsOf(120));
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: true });
      expect(await contract.read.getStage(2n)).toMatchObject({ exists: true, isFinalized: false });
    },
  },
  "push-differences": {
    name: "a push writes only the rows that differ",
    rules: ["R6", "R11"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(rowsOf(40)));
      const rows = [...rowsOf(5).map(({ account }) => ({ account, score: 1n })), ...rowsOf(50).slice(5)];
      const table = ScoreTable.from(rows);
      const { counts } = await planPush(port, one, table);
      expect(counts).toEqual({ add: 10, change: 5, unchanged: 35, toZero: 0, extra: 0 });
      await pushAll(port, table);
      await expectStage(contract, rows);
    },
  },
  prune: {
    name: "accounts missing from the table stop a push, or are set to 0 on request",
    rules: ["R6", "R7"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(rowsOf(12)));
      const before = await stateOf(contract);
      const fewer = ScoreTable.from(rowsOf(10));
      await expect(pushAll(port, fewer)).toReject({ code: "EXTRA_ACCOUNTS" });
      expect(await stateOf(contract)).toEqual(before);
      await pushAll(port, fewer, { prune: true });
      expect(await verifyScores(port, one, fewer)).toMatchObject({ agrees: true, accounts: 12 });
      await finalizeStage(port, one, { expect: fewer });
    },
  },
  "lower-first": {
    name: "a push moves a score of almost 2^64 from one account to another without exceeding it on the way",
    rules: ["R8"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(scored(1n, u64Max - 1n)));
      for (const rows of [scored(u64Max - 1n, 1n), scored(0n, u64Max), scored(u64Max, 0n)]) {
        const events = await pushAll(port, ScoreTable.from(rows));
        const overflows = events.filter((event) => event.type === "setback" && event.error.code === "SCORE_OVERFLOW");
        expect(overflows).toEqual([]);
        await expectStage(contract, rows);
      }
    },
  },
  "verify-differences": {
    name: "a verification finds each difference: a wrong score, a missing score, an extra score",
    rules: ["R18"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n, 30n) });
      const agreeing = await verifyScores(port, one, ScoreTable.from(scored(10n, 20n, 30n)));
      expect(agreeing).toMatchObject({ agrees: true, differences: [] });
      const rows = [...scored(10n, 21n), { account: accountOf(7), score: 5n }];
      const verification = await verifyScores(port, one, ScoreTable.from(rows));
      expect(verification.agrees).toBe(false);
      expect(verification.differences).toEqual([
        { account: accountOf(1), expected: 21n, actual: 20n },
        { account: accountOf(7), expected: 5n, actual: undefined },
        { account: accountOf(2), expected: undefined, actual: 30n },
      ]);
    },
  },
  "finalize-refuses": {
    name: "nothing is finalized that differs from the table by a single point",
    rules: ["R4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(scored(10n, 20n)));
      const sequence = await port.getSequence();
      const finalized = finalizeStage(port, one, { expect: ScoreTable.from(scored(10n, 21n)) });
      await expect(finalized).toReject({ code: "VERIFY_MISMATCH" });
      expect(await port.getSequence()).toBe(sequence);
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: false });
    },
  },
  "concurrent-writer": {
    name: "a score that another member writes between the verification and the finalize stops it",
    rules: ["R4"],
    reference: "the stage is finalized with the foreign score, which is paid",
    run: async (subject) => {
      const { contract, port, table } = await pushTwoRows(subject);
      const write = async (): Promise<void> => {
        await done(contract, "alice", { kind: "updateScore", stage: 1n, account: accountOf(66), amount: 1_000_000n });
      };
      const finalized = finalizeStage(beforeBroadcast(port, write), one, { expect: table });
      await expect(finalized).toReject({ code: "FINALIZE_MISMATCH" });
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: false });
      await pushAll(port, table, { prune: true });
      await finalizeStage(port, one, { expect: table });
      expect(await contract.read.getScore(1n, accountOf(66))).toBe(0n);
    },
  },
  "concurrent-compensated": {
    name: "a concurrent write that leaves the total as it was is still caught where it adds an account",
    rules: ["R4", "R7"],
    run: async (subject) => {
      const { contract, port, table } = await pushTwoRows(subject);
      const write = async (): Promise<void> => {
        const rows = [
          { account: accountOf(0), score: 4n },
          { account: accountOf(66), score: 6n },
        ];
        await done(contract, "alice", { kind: "updateScores", stage: 1n, rows });
      };
      const finalized = finalizeStage(beforeBroadcast(port, write), one, { expect: table });
      await expect(finalized).toReject({ code: "FINALIZE_MISMATCH" });
    },
  },
  "concurrent-swapped": {
    name: "scores that another member swaps stop the finalize: after the check nothing is sent, after signing the block refuses",
    rules: ["R4", "R7"],
    run: async (subject) => {
      const { contract, port, table } = await pushTwoRows(subject);
      const swap = (first: bigint, second: bigint) =>
        done(contract, "alice", { kind: "updateScores", stage: 1n, rows: scored(first, second) });
      const confirm = async (): Promise<boolean> => {
        await swap(20n, 10n);
        // A node shows the state of a block a moment after the block; until then only the block can refuse.
        await until("the swapped score", async () => (await port.getScore(one, accountOf(0))) === 20n);
        return true;
      };
      const sequence = await port.getSequence();
      await expect(finalizeStage(port, one, { expect: table, confirm })).toReject({
        code: "VERIFY_MISMATCH",
      });
      expect(await port.getSequence()).toBe(sequence);
      await swap(10n, 20n);
      const late = beforeBroadcast(port, async () => {
        await swap(20n, 10n);
      });
      await expect(finalizeStage(late, one, { expect: table })).toReject({ code: "FINALIZE_MISMATCH" });
      expect(exitStatusOf("FINALIZE_MISMATCH")).toBe(3);
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: false, total: 30n, count: 2n });
    },
  },
  "no-member": {
    name: "a push and a finalize by a non-member are refused before anything is sent",
    rules: ["R13"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("carol");
      const sequence = await port.getSequence();
      const table = ScoreTable.from([]);
      await expect(pushAll(port, ScoreTable.from(rowsOf(2)))).toReject({ code: "PERMISSION_DENIED" });
      await expect(finalizeStage(port, one, { expect: table })).toReject({ code: "PERMISSION_DENIED" });
      expect(await port.getSequence()).toBe(sequence);
    },
  },
  "two-keys": {
    name: "one key pushes and the finalizer's key finalizes: neither may do what the other does, and both are refused before anything is sent",
    rules: ["R13", "R21"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const [member, finalizer] = [await contract.port("creator"), await contract.port("bob")];
      const account = contract.accountOf("bob");
      await done(contract, "creator", { kind: "setFinalizer", account });
      expect(await member.getControl()).toMatchObject({ owner: contract.accountOf("creator"), finalizer: account });
      const table = ScoreTable.from(rowsOf(4));
      const sequences = async () => [await member.getSequence(), await finalizer.getSequence()];
      const before = await sequences();
      await expect(pushAll(finalizer, table)).toReject({ code: "PERMISSION_DENIED" });
      expect(await sequences()).toEqual(before);
      await pushAll(member, table);
      const pushed = await sequences();
      await expect(finalizeStage(member, one, { expect: table })).toReject({ code: "PERMISSION_DENIED" });
      expect(await sequences()).toEqual(pushed);
      const { verification } = await finalizeStage(finalizer, one, { expect: table });
      expect(verification).toMatchObject({ agrees: true, isFinalized: true, revision: 1n });
    },
  },
  packed: {
    name: "a packed push writes and verifies the same table, and only what differs",
    rules: ["R6", "R12"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      await pushAll(port, ScoreTable.from(rowsOf(10)));
      const rows = [...rowsOf(5).map(({ account }) => ({ account, score: 0n })), ...rowsOf(14).slice(5)];
      const table = ScoreTable.from(rows);
      const plan = await planPush(port, one, table, { packed: true, compareEntryPoints: true });
      expect(plan.counts).toEqual({ add: 4, change: 5, unchanged: 5, toZero: 0, extra: 0 });
      await pushAll(port, table, { packed: true });
      await expectStage(contract, rows);
    },
  },
  "wrong-stage": {
    name: "a push and a finalize of a stage that does not exist are refused before anything is sent",
    rules: ["R1"],
    run: async (subject) => {
      const contract = await subject.deploy({ initStage: 4n });
      const port = await contract.port("creator");
      const sequence = await port.getSequence();
      const table = ScoreTable.from(rowsOf(2));
      for (const at of [stageOf(3n), stageOf(5n), stageOf(u64Max)]) {
        await expect(pushAll(port, table, { at })).toReject({ code: "STAGE_NOT_FOUND" });
        await expect(finalizeStage(port, at, { expect: table })).toReject({ code: "STAGE_NOT_FOUND" });
      }
      expect(await port.getSequence()).toBe(sequence);
    },
  },
  "finalized-stage": {
    name: "a push to a finalized stage is refused, and a second finalize compares what the stage holds",
    rules: ["R3", "R5"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(5));
      await pushAll(port, table);
      await finalizeStage(port, one, { expect: table });
      const sequence = await port.getSequence();
      const other = ScoreTable.from(rowsOf(6));
      await expect(pushAll(port, other)).toReject({ code: "STAGE_FINALIZED" });
      const again = await finalizeStage(port, one, { expect: table });
      expect(again).toMatchObject({ transaction: undefined, verification: { agrees: true, isFinalized: true } });
      await expect(finalizeStage(port, one, { expect: other })).toReject({ code: "STAGE_FINALIZED" });
      expect(await port.getSequence()).toBe(sequence);
    },
  },
});
