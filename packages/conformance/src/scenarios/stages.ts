import { u64Max } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { SubjectCall } from "../subject.ts";
import { accountOf, done, expectStage, on, pagesOf, refused, scored, stateOf } from "./expectations.ts";

const nothing = { exists: false, total: 0n, isFinalized: false, count: 0n };
/** A stage that was just opened. */
export const emptyAndOpen = { exists: true, total: 0n, isFinalized: false, count: 0n };

/** A finalized stage with this total and this number of scores. */
export function finalizedWith(total: bigint, count: bigint) {
  return { exists: true, total, isFinalized: true, count };
}

export function callsOnStage(stage: bigint): readonly SubjectCall[] {
  const account = accountOf(0);
  return [
    { kind: "updateScores", stage, rows: scored(1n) },
    { kind: "updateScoresPacked", stage, rows: scored(1n) },
    { kind: "updateScore", stage, account, amount: 1n },
    { kind: "increaseScore", stage, account, amount: 1n },
    { kind: "decreaseScore", stage, account, amount: 0n },
    { kind: "finalizeStage", stage },
    { kind: "finalizeStageChecked", stage, total: 0n, count: 0n, revision: 0n },
  ];
}

export const stageScenarios = inArea("stages", "stage", {
  first: {
    name: "a new contract has its first stage, empty and open, and no other",
    rules: ["R1", "R18"],
    run: onContract(async ({ read }) => {
      expect(await read.getInitStage()).toBe(1n);
      expect(await read.getStage(1n)).toMatchObject(emptyAndOpen);
      expect(await read.getStage(2n)).toMatchObject(nothing);
      expect(await read.getStage(0n)).toMatchObject(nothing);
    }),
  },
  "first-not-zero": {
    name: "no contract starts at stage 0",
    rules: ["R1"],
    differences: [
      { vm: "move", rule: "M8", what: "the first stage is set by a call, which refuses 0 at any time (M6)" },
    ],
    run: onContract(async (contract, subject) => {
      await expect(subject.deploy({ initStage: 0n })).toReject({ code: "STAGE_ZERO" });
      if (contract.vm !== "move") return;
      await refused(contract, "creator", { kind: "setInitStage", stage: 0n }, "STAGE_ZERO");
    }),
  },
  "first-later": {
    name: "a contract may start at a later stage, and has none before it",
    rules: ["R1"],
    run: onContractOf({ initStage: 7n }, async (contract) => {
      expect(await contract.read.getInitStage()).toBe(7n);
      expect(await contract.read.getStage(7n)).toMatchObject(emptyAndOpen);
      for (const stage of [1n, 6n, 8n]) {
        expect(await contract.read.getStage(stage)).toMatchObject(nothing);
        await refused(contract, "creator", { kind: "updateScores", stage, rows: scored(1n) }, "STAGE_NOT_FOUND");
      }
    }),
  },
  "first-never-changes": {
    name: "the first stage never changes",
    rules: ["R1"],
    differences: [{ vm: "move", rule: "M8", what: "the call that sets it exists and works once" }],
    run: onContractOf({ initStage: 3n }, async (contract) => {
      await done(contract, "creator", { kind: "finalizeStage", stage: 3n });
      expect(await contract.read.getInitStage()).toBe(3n);
      if (contract.vm === "move") {
        await refused(contract, "creator", { kind: "setInitStage", stage: 9n }, "INIT_STAGE_SET");
        await refused(contract, "creator", { kind: "setInitStage", stage: 3n }, "INIT_STAGE_SET");
      }
    }),
  },
  zero: {
    name: "no call finds stage 0",
    rules: ["R1", "R10"],
    run: onContract(async (contract) => {
      for (const call of callsOnStage(0n)) await refused(contract, "creator", call, "STAGE_NOT_FOUND");
    }),
  },
  unknown: {
    name: "no call finds a stage that was never created, or creates it",
    rules: ["R1", "R10"],
    run: onContract(async (contract) => {
      for (const call of callsOnStage(2n)) await refused(contract, "creator", call, "STAGE_NOT_FOUND");
      expect(await contract.read.getStage(2n)).toMatchObject(nothing);
    }),
  },
  "none-ahead": {
    name: "no stage is finalized before the previous stage",
    rules: ["R1"],
    run: onContract(async (contract) => {
      await refused(contract, "creator", { kind: "finalizeStage", stage: 2n }, "STAGE_NOT_FOUND");
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      await refused(contract, "creator", { kind: "finalizeStage", stage: 3n }, "STAGE_NOT_FOUND");
    }),
  },
  "one-open": {
    name: "after every finalize exactly one stage is open, the highest",
    rules: ["R1", "R2"],
    run: onContract(async (contract) => {
      for (let stage = 1n; stage <= 4n; stage += 1n) {
        await done(contract, "creator", { kind: "finalizeStage", stage });
        const { stages } = await stateOf(contract);
        expect(stages.map((one) => one.stage)).toEqual(
          Array.from({ length: Number(stage) + 1 }, (_, n) => BigInt(n + 1)),
        );
        expect(stages.filter((one) => !one.isFinalized).map((one) => one.stage)).toEqual([stage + 1n]);
      }
    }),
  },
  independent: {
    name: "an account has a separate score in every stage",
    rules: ["R5", "R6"],
    run: onContractOf({ scores: [10n, 20n] }, async (contract) => {
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      expect(await contract.read.getScore(2n, accountOf(0))).toBeUndefined();
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(5n) });
      await expectStage(contract, scored(10n, 20n), 1n);
      await expectStage(contract, scored(5n), 2n);
    }),
  },
  last: {
    name: "stage 2^64 - 1 takes scores and can be finalized; there is none after it",
    rules: ["R2"],
    reference: "on Move it can never be finalized",
    run: onContractOf({ initStage: u64Max, scores: [1n, 2n] }, async (contract) => {
      await done(contract, "creator", { kind: "finalizeStage", stage: u64Max });
      expect(await contract.read.getStage(u64Max)).toMatchObject(finalizedWith(3n, 2n));
      expect(await contract.read.getStage(0n)).toMatchObject(nothing);
      expect(await pagesOf(contract, u64Max, 10)).toHaveLength(1);
      for (const call of callsOnStage(u64Max)) await refused(contract, "creator", call, "STAGE_FINALIZED");
    }),
  },
  "last-checked": {
    name: "the checked finalize of stage 2^64 - 1 succeeds too, once",
    rules: ["R2", "R3", "R4"],
    run: onContractOf({ initStage: u64Max }, async (contract) => {
      const call = { kind: "finalizeStageChecked", stage: u64Max, total: 0n, count: 0n, revision: 0n } as const;
      await done(contract, "creator", call);
      await refused(contract, "creator", call, "STAGE_FINALIZED");
    }),
  },
  "before-last": {
    name: "stage 2^64 - 2 is followed by the last stage, and their scores are separate",
    rules: ["R2", "R6"],
    run: onContractOf({ initStage: u64Max - 1n, scores: [1n, 2n] }, async (contract) => {
      await done(contract, "creator", { kind: "finalizeStage", stage: u64Max - 1n });
      expect(await contract.read.getStage(u64Max)).toMatchObject(emptyAndOpen);
      await done(contract, "creator", { kind: "updateScores", stage: u64Max, rows: scored(3n) });
      await expectStage(contract, scored(1n, 2n), u64Max - 1n);
      await expectStage(contract, scored(3n), u64Max);
    }),
  },
  sealed: {
    name: "a deployment can make sure that no key can ever replace the code that keeps finalized stages",
    rules: ["R5"],
    reference: "on Move the module was published upgradeable by one key, built against an unpinned library",
    differences: [
      { vm: "evm", rule: "R5", what: "code is never replaced" },
      { vm: "move", rule: "M15", what: "the publisher replaces it unless it is published as immutable" },
      { vm: "wasm", rule: "W21", what: "the admin replaces it unless there is none" },
    ],
    run: onContract(async (usual, subject) => {
      expect(await usual.isReplaceable()).toBe(on(usual.vm, { evm: false, move: true, wasm: true }));
      const contract = await subject.deploy({ sealed: true });
      expect(await contract.isReplaceable()).toBe(false);
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(1n) });
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
    }),
  },
  "unknown-read": {
    name: "readers answer for a stage that was never created, without a score and without an error",
    rules: ["R18"],
    differences: [
      { vm: "wasm", rule: "W8", what: "the published readers of one score and of a stage fail, as published" },
    ],
    run: onContract(async ({ vm, read }) => {
      expect(await read.getStage(9n)).toMatchObject(nothing);
      expect(await read.getScore(9n, accountOf(0))).toBeUndefined();
      expect(await read.getPage(9n, 10)).toEqual({ items: [], next: undefined });
      const published = [await read.getPublishedTotal(9n), await read.getPublishedScore(9n, accountOf(0))];
      expect(published).toEqual(on(vm, { evm: [0n, "missing"], move: [0n, 0n], wasm: ["missing", "missing"] }));
    }),
  },
});
