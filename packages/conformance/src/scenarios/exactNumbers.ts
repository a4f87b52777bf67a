import { stage as stageOf, u64Max } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea, onContract, onContractOf } from "../scenario.ts";
import type { DeployedContract, Row } from "../subject.ts";
import { accountOf, done, expectStage, readByClient, scored, sorted, writeRows } from "./expectations.ts";

const beyondFloat = 2n ** 53n + 1n;
/** Boundaries where numbers break: bytes, words, the precision of floats, the sign bit. */
const boundaries = [0n, 1n, 255n, 256n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, beyondFloat, 2n ** 63n - 1n];

/** Reads scores in every possible way; all must agree to the last digit. */
async function expectExact(contract: DeployedContract, rows: readonly Row[], at = 1n): Promise<void> {
  await expectStage(contract, rows, at);
  const port = await contract.port("alice");
  const one = stageOf(at);
  for (const { account, score } of rows) {
    expect(await contract.read.getScore(at, account)).toBe(score);
    expect(await contract.read.getPublishedScore(at, account)).toBe(score);
    expect(await port.getScore(one, account)).toBe(score);
  }
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  expect(await contract.read.getPublishedTotal(at)).toBe(total);
  expect(await port.getStage(one)).toMatchObject({ total, count: BigInt(rows.length) });
  expect(sorted((await contract.read.getPublishedPage(at, 100)).rows)).toEqual(sorted(rows));
  expect(await readByClient(port, at)).toEqual(sorted(rows));
}

export const exactScenarios = inArea("exact numbers", "exact", {
  boundaries: {
    name: "0, 1, 2^53, 2^53 + 1 and similar numbers are written and read back exactly, in every way",
    rules: ["R6", "R7", "R18"],
    run: onContractOf({ scores: boundaries }, async (contract) => {
      await expectExact(contract, scored(...boundaries));
    }),
  },
  max: {
    name: "2^64 - 1 is written and read back exactly, in every way",
    rules: ["R6", "R7", "R18"],
    run: onContractOf({ scores: [u64Max, 0n] }, async (contract) => {
      await expectExact(contract, scored(u64Max, 0n));
    }),
  },
  "one-by-one": {
    name: "update, increase and decrease of one account are exact beyond 2^53",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      const one = { stage: 1n, account: accountOf(0) } as const;
      await done(contract, "creator", { kind: "updateScore", ...one, amount: beyondFloat });
      await expectExact(contract, scored(beyondFloat));
      await done(contract, "creator", { kind: "increaseScore", ...one, amount: u64Max - beyondFloat });
      await expectExact(contract, scored(u64Max));
      await done(contract, "creator", { kind: "decreaseScore", ...one, amount: beyondFloat });
      await expectExact(contract, scored(u64Max - beyondFloat));
    }),
  },
  "one-event": {
    name: "the entry point with one event per batch is exact beyond 2^53",
    rules: ["R6", "R7"],
    run: onContract(async (contract) => {
      const rows = scored(beyondFloat, u64Max - 2n * beyondFloat, 0n, beyondFloat);
      await done(contract, "creator", { kind: "updateScoresPacked", stage: 1n, rows });
      await expectExact(contract, rows);
    }),
  },
  events: {
    name: "events carry scores and totals exactly",
    rules: ["R12"],
    run: onContract(async (contract) => {
      const rows = scored(beyondFloat, u64Max - beyondFloat);
      const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      const events = await contract.getScoreEvents(hash);
      expect(events).toMatchObject([
        { score: beyondFloat, total: beyondFloat },
        { score: u64Max - beyondFloat, total: u64Max },
      ]);
    }),
  },
  stages: {
    name: "stage numbers beyond 2^53 are exact: their neighbors are other stages",
    rules: ["R1", "R18"],
    run: onContractOf({ initStage: beyondFloat }, async (contract) => {
      expect(await contract.read.getInitStage()).toBe(beyondFloat);
      expect(await (await contract.port("creator")).getInitStage()).toBe(beyondFloat);
      await writeRows(contract, scored(5n), beyondFloat);
      await expectExact(contract, scored(5n), beyondFloat);
      for (const neighbor of [beyondFloat - 1n, beyondFloat + 1n]) {
        expect((await contract.read.getStage(neighbor)).exists).toBe(false);
      }
      await done(contract, "creator", { kind: "finalizeStage", stage: beyondFloat });
      expect((await contract.read.getStage(beyondFloat + 1n)).exists).toBe(true);
    }),
  },
});
