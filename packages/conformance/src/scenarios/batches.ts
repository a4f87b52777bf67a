import { u64Max } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import { accountOf, allRows, done, expectStage, refused, rowsOf, scored, sorted } from "./expectations.ts";

const empties = (["updateScores", "updateScoresPacked"] as const).map((kind) => ({ kind, rows: [] }));

export const batchScenarios = inArea("batches", "batch", {
  events: {
    name: "each row emits an event with its score and the running total, in row order",
    rules: ["R12"],
    run: onContract(async (contract) => {
      const first = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n) });
      const second = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(4n, 0n, 7n) });
      const event = (index: number, score: bigint, total: bigint) => {
        return { event: "row", stage: 1n, account: accountOf(index), score, total };
      };
      expect(await contract.getScoreEvents(first.hash)).toEqual([event(0, 10n, 10n), event(1, 20n, 30n)]);
      expect(await contract.getScoreEvents(second.hash)).toEqual([
        event(0, 4n, 24n),
        event(1, 0n, 4n),
        event(2, 7n, 11n),
      ]);
    }),
  },
  "events-of-one": {
    name: "each call for one account emits an event with the new score and the total",
    rules: ["R6", "R12"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScore", stage: 1n, account: accountOf(1), amount: 100n });
      const account = accountOf(0);
      const steps = [
        ["updateScore", 10n, 10n],
        ["increaseScore", 5n, 15n],
        ["decreaseScore", 8n, 7n],
        ["increaseScore", 0n, 7n],
      ] as const;
      for (const [kind, amount, score] of steps) {
        const { hash } = await done(contract, "creator", { kind, stage: 1n, account, amount });
        const expected = [{ event: "row", stage: 1n, account, score, total: 100n + score }];
        expect(await contract.getScoreEvents(hash)).toEqual(expected);
      }
    }),
  },
  "one-event": {
    name: "the cheap entry point writes what the published one writes, and emits one event for the batch",
    rules: ["R6", "R7", "R12"],
    run: onContractOf({ scores: [1n, 2n] }, async (contract) => {
      const rows = scored(10n, 0n, 30n, u64Max - 41n, 1n);
      const { hash } = await done(contract, "creator", { kind: "updateScoresPacked", stage: 1n, rows });
      await expectStage(contract, rows);
      expect(await contract.getScoreEvents(hash)).toEqual([{ event: "batch", stage: 1n, count: 5n, total: u64Max }]);
    }),
  },
  "one-event-large": {
    name: "a batch of 300 rows in the cheap entry point writes each of them",
    rules: ["R6", "R7", "R12"],
    run: onContract(async (contract) => {
      const rows = rowsOf(300);
      const { hash } = await done(contract, "creator", { kind: "updateScoresPacked", stage: 1n, rows });
      await expectStage(contract, rows);
      const total = rows.reduce((sum, { score }) => sum + score, 0n);
      expect(await contract.getScoreEvents(hash)).toEqual([{ event: "batch", stage: 1n, count: 300n, total }]);
    }),
  },
  duplicate: {
    name: "if an account has two rows, only the last counts, and each emits an event with the total after it",
    rules: ["R7", "R11", "R12"],
    run: onContract(async (contract) => {
      const [a, b] = [accountOf(0), accountOf(1)];
      const rows = [
        { account: a, score: 10n },
        { account: b, score: 1n },
        { account: a, score: 3n },
        { account: a, score: 4n },
      ];
      const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      await expectStage(contract, scored(4n, 1n));
      const totals = [10n, 11n, 4n, 5n];
      expect(await contract.getScoreEvents(hash)).toMatchObject(totals.map((total) => ({ event: "row", total })));
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: [...rows].reverse() });
      await expectStage(contract, scored(10n, 1n));
    }),
  },
  "duplicate-at-max": {
    name: "a repeated account counts with its last score where the total is at its limit",
    rules: ["R8", "R11"],
    run: onContract(async (contract) => {
      const account = accountOf(0);
      const rows = [u64Max, u64Max, 1n].map((score) => ({ account, score }));
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      await expectStage(contract, scored(1n));
    }),
  },
  "empty-open": {
    name: "an empty batch on an open stage succeeds and changes nothing",
    rules: ["R10"],
    run: onContractOf({ scores: [1n] }, async (contract) => {
      for (const empty of empties) await done(contract, "creator", { ...empty, stage: 1n });
      await expectStage(contract, scored(1n));
    }),
  },
  "empty-unknown": {
    name: "an empty batch on a stage that was never created fails",
    rules: ["R10"],
    reference: "on EVM and Wasm it succeeds, so a push to the wrong stage looks like a push with nothing to do",
    run: onContract(async (contract) => {
      for (const stage of [0n, 2n, u64Max]) {
        for (const empty of empties) await refused(contract, "creator", { ...empty, stage }, "STAGE_NOT_FOUND");
      }
    }),
  },
  "empty-finalized": {
    name: "an empty batch on a finalized stage fails",
    rules: ["R5", "R10"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      for (const empty of empties) await refused(contract, "creator", { ...empty, stage: 1n }, "STAGE_FINALIZED");
    }),
  },
  "empty-stranger": {
    name: "an empty batch by a non-member fails on any stage",
    rules: ["R10", "R13"],
    run: onContract(async (contract) => {
      for (const stage of [1n, 2n]) {
        for (const empty of empties) await refused(contract, "carol", { ...empty, stage }, "PERMISSION_DENIED");
      }
    }),
  },
  unequal: {
    name: "a batch that lacks a score fails before its stage is checked",
    rules: ["R9", "R10"],
    differences: [
      { vm: "wasm", rule: "W7", what: "rows are pairs: a row without a score is not a valid message and has no code" },
    ],
    run: onContract(async (contract) => {
      const code = contract.vm === "wasm" ? "TRANSACTION_FAILED" : "LENGTH_MISMATCH";
      const rows = scored(1n, 2n);
      for (const stage of [1n, 9n]) {
        await refused(contract, "creator", { kind: "updateScoresUnequal", stage, rows }, code);
        await refused(contract, "creator", { kind: "updateScoresUnequal", stage, rows: [] }, code);
      }
    }),
  },
  "unequal-stranger": {
    name: "the caller is checked before the shape of the batch",
    rules: ["R10", "R13"],
    differences: [{ vm: "wasm", rule: "W7", what: "an invalid message does not reach the contract" }],
    run: onContract(async (contract) => {
      const code = contract.vm === "wasm" ? "TRANSACTION_FAILED" : "PERMISSION_DENIED";
      await refused(contract, "carol", { kind: "updateScoresUnequal", stage: 9n, rows: scored(1n) }, code);
    }),
  },
  "stage-before-rows": {
    name: "the stage is checked before the rows",
    rules: ["R10"],
    run: onContract(async (contract) => {
      const rows = scored(u64Max, 1n);
      await refused(contract, "creator", { kind: "updateScores", stage: 9n, rows }, "STAGE_NOT_FOUND");
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      await refused(contract, "creator", { kind: "updateScores", stage: 1n, rows }, "STAGE_FINALIZED");
    }),
  },
  "all-or-nothing": {
    name: "a batch of 100 rows whose last row fails writes none of them",
    rules: ["R9"],
    reference: "on Wasm errors inside a batch are traps, which name neither the row nor the reason",
    run: onContract(async (contract) => {
      const rows = [...rowsOf(99), { account: accountOf(99), score: u64Max }];
      for (const kind of ["updateScores", "updateScoresPacked"] as const) {
        await refused(contract, "creator", { kind, stage: 1n, rows }, "SCORE_OVERFLOW");
      }
      expect((await contract.read.getStage(1n)).count).toBe(0n);
    }),
  },
  mixed: {
    name: "a batch of new accounts, known accounts and accounts of earlier stages adds up",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rowsOf(60) });
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: rowsOf(20, 10) });
      const rows = rowsOf(80).map(({ account }, index) => ({ account, score: BigInt(index) }));
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows });
      await expectStage(contract, rows, 2n);
      expect(await allRows(contract, 1n)).toEqual(sorted(rowsOf(60)));
    }),
  },
});
