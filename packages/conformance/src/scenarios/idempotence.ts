import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  finalizeStage,
  Journal,
  planPush,
  push,
  ScoreTable,
  stage as stageOf,
  type JournalScope,
  type PushEvent,
} from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea } from "../scenario.ts";
import type { DeployedContract } from "../subject.ts";
import { countOf, losing, pushAll } from "./clientSteps.ts";
import { accountOf, done, expectOutcome, expectStage, rowsOf, scored, stateOf } from "./expectations.ts";

const one = stageOf(1n);

/** Calls `use` with a function that opens a new journal, and closes and removes the journal afterwards. */
async function withJournal(scope: JournalScope, use: (open: () => Promise<Journal>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  const opened: Journal[] = [];
  try {
    await use(async () => {
      const journal = await Journal.open(join(folder, "journal.jsonl"), scope);
      opened.push(journal);
      return journal;
    });
  } finally {
    for (const journal of opened) await journal.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rows that the transactions of pushes wrote, according to the contract's events. */
async function writtenRows(contract: DeployedContract, events: readonly PushEvent[]): Promise<bigint> {
  let rows = 0n;
  for (const event of events) {
    if (event.type !== "sent") continue;
    for (const written of await contract.getScoreEvents(event.hash))
      rows += written.event === "row" ? 1n : written.count;
  }
  return rows;
}

export const idempotenceScenarios = inArea("idempotence", "again", {
  "same-batch": {
    name: "writing the same batch twice leaves the same state as once, and the revision counts both",
    rules: ["R6", "R7", "R21"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const call = { kind: "updateScores", stage: 1n, rows: rowsOf(20) } as const;
      await done(contract, "creator", call);
      const before = await stateOf(contract);
      await done(contract, "creator", call);
      const after = await stateOf(contract);
      expect(after.stages.map(({ revision }) => revision)).toEqual([2n]);
      const { stages, ...others } = before;
      expect(after).toEqual({ ...others, stages: [{ ...stages[0], revision: 2n }] });
    },
  },
  "same-bytes": {
    name: "a batch whose signed bytes are sent again is written once, even if it is not absolute",
    rules: ["R6"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const call = { kind: "increaseScore", stage: 1n, account: accountOf(0), amount: 5n } as const;
      const transaction = await contract.sign("creator", call);
      for (let times = 0; times < 3; times += 1) {
        expectOutcome(await contract.send("creator", transaction), "DONE");
      }
      await expectStage(contract, scored(5n));
    },
  },
  "finalize-same-bytes": {
    name: "a finalize whose signed bytes are sent again after a timeout happens once",
    rules: ["R3"],
    reference: "on Wasm a retried finalize is enough to lose the next stage",
    run: async (subject) => {
      const contract = await subject.deploy();
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(1n) });
      const transaction = await contract.sign("creator", { kind: "finalizeStage", stage: 1n });
      expectOutcome(await contract.send("creator", transaction), "DONE");
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: scored(3n, 4n) });
      const before = await stateOf(contract);
      // The answer repeats that the first one succeeded; nothing ran.
      expectOutcome(await contract.send("creator", transaction), "DONE");
      expect(await stateOf(contract)).toEqual(before);
    },
  },
  "finalize-new-bytes": {
    name: "a finalize that is signed again after a timeout fails in its block, and the next stage is intact",
    rules: ["R3"],
    reference: "on Wasm it succeeds and the next stage's total becomes 0",
    run: async (subject) => {
      const contract = await subject.deploy();
      const call = { kind: "finalizeStage", stage: 1n } as const;
      const first = await contract.sign("creator", call);
      const second = await contract.sign("creator", call, 1n);
      expectOutcome(await contract.send("creator", first), "DONE");
      expectOutcome(await contract.send("creator", second), "STAGE_FINALIZED");
      expect((await stateOf(contract)).stages).toHaveLength(2);
    },
  },
  "finalize-lost-answer": {
    name: "a finalize whose answer is lost is found by its hash and not signed again",
    rules: ["R3", "R4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(4));
      await pushAll(port, table);
      const sequence = await port.getSequence();
      await finalizeStage(losing(port, "answer"), one, { expect: table });
      expect(await port.getSequence()).toBe(sequence + 1n);
      expect(await contract.read.getStage(1n)).toMatchObject({ isFinalized: true });
    },
  },
  "finalize-lost-request": {
    name: "a finalize that is lost on the way to the node is sent again and happens once",
    rules: ["R3", "R4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const sequence = await port.getSequence();
      await finalizeStage(losing(port, "request"), one, { expect: ScoreTable.from([]) });
      expect(await port.getSequence()).toBe(sequence + 1n);
      expect((await stateOf(contract)).stages).toHaveLength(2);
    },
  },
  "push-twice": {
    name: "a second push of the same table sends nothing",
    rules: ["R6"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(30));
      await pushAll(port, table);
      const sequence = await port.getSequence();
      expect(countOf(await pushAll(port, table), "sent")).toBe(0);
      expect(await port.getSequence()).toBe(sequence);
      await expectStage(contract, rowsOf(30));
    },
  },
  "push-lost-answer": {
    name: "a push whose answer is lost writes each row once",
    rules: ["R6", "R7"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const events = await pushAll(losing(port, "answer"), ScoreTable.from(rowsOf(25)));
      expect(await writtenRows(contract, events)).toBe(25n);
      await expectStage(contract, rowsOf(25));
    },
  },
  "push-crashed": {
    name: "a push that is stopped after its first transaction resumes and writes nothing twice",
    rules: ["R6", "R7"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(400));
      await withJournal({ identity: port.identity, stage: one }, async (open) => {
        const events: PushEvent[] = [];
        const crashing = await open();
        const plan = await planPush(port, one, table, { journal: crashing });
        for await (const event of push(port, plan, { journal: crashing })) {
          events.push(event);
          // The transaction is on its way, and nobody is waiting for it.
          if (event.type === "sent") break;
        }
        await crashing.close();
        const journal = await open();
        expect(journal.unsettled).toHaveLength(1);
        events.push(...(await pushAll(port, table, { journal })));
        expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true } });
        expect(await writtenRows(contract, events)).toBe(400n);
      });
      await expectStage(contract, rowsOf(400));
    },
  },
  "push-crashed-before": {
    name: "a push that is stopped between the journal's line and the node resumes and writes each row once",
    rules: ["R6", "R7"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const port = await contract.port("creator");
      const table = ScoreTable.from(rowsOf(50));
      await withJournal({ identity: port.identity, stage: one }, async (open) => {
        const crashing = await open();
        const call = { kind: "updateScores", stage: one, rows: rowsOf(50) } as const;
        const sequence = await port.getSequence();
        const transaction = await port.sign(call, { sequence, gas: (await port.getLimits()).maxGas });
        await crashing.recordSent(transaction, 50);
        await crashing.close();
        const journal = await open();
        const events = await pushAll(port, table, { journal });
        expect(journal.unsettled).toEqual([]);
        expect(await writtenRows(contract, events)).toBe(50n);
      });
      await expectStage(contract, rowsOf(50));
    },
  },
});
