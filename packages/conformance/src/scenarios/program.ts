import type { Account } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea } from "../scenario.ts";
import { randomValues } from "../seededRandom.ts";
import type { CallResult, DeployedContract, Row, Subject, SubjectCall } from "../subject.ts";
import { accountOf, done, on, rowsOf, scored, sorted, writeRows } from "./expectations.ts";

/** A stage as the published readers show it, which a reference contract has too. */
interface PublishedStage {
  readonly total: bigint | "missing";
  readonly rows: readonly Row[];
  readonly scores: readonly (bigint | "missing")[];
}

/** Reads a stage in pages, and each score of its rows alone. */
async function readPublished(contract: DeployedContract, stage = 1n, limit = 100): Promise<PublishedStage> {
  const { read } = contract;
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const start = last === undefined ? undefined : { offset: rows.length, last: last.account };
    const page = await read.getPublishedPage(stage, limit, start);
    rows.push(...page.rows);
    if (page.rows.length < limit) break;
  }
  const few = rows.slice(0, 8);
  const scores = await Promise.all(few.map(({ account }) => read.getPublishedScore(stage, account)));
  return { total: await read.getPublishedTotal(stage), rows, scores };
}

/** A contract whose first stage has three scores and is finalized, with alice as a second member. */
async function deployFinalized(subject: Subject, stage = 1n): Promise<DeployedContract> {
  const contract = await subject.deploy({ initStage: stage, members: ["alice"] });
  await done(contract, "creator", { kind: "updateScores", stage, rows: scored(10n, 20n, 30n) });
  await done(contract, "creator", { kind: "finalizeStage", stage });
  return contract;
}

/** Writes of members that would change stage 1 if it were open. */
const writes: readonly SubjectCall[] = [
  { kind: "updateScore", stage: 1n, account: accountOf(0), amount: 11n },
  { kind: "increaseScore", stage: 1n, account: accountOf(1), amount: 1n },
  { kind: "decreaseScore", stage: 1n, account: accountOf(2), amount: 1n },
  { kind: "updateScores", stage: 1n, rows: [{ account: accountOf(7), score: 5n }] },
];

/** What the program demands of a modified contract, through the published interface alone. */
export const programScenarios = inArea("program", "program", {
  name: {
    name: "the module keeps its name, vip_score",
    rules: ["P3"],
    differences: [
      { vm: "evm", rule: "P3", what: "a contract has no name" },
      { vm: "wasm", rule: "P3", what: "a contract has no name" },
    ],
    run: async (subject) => {
      const names = subject.publish === undefined ? undefined : await subject.publish();
      expect(names).toEqual(on(subject.vm, { evm: undefined, move: ["vip_score"], wasm: undefined }));
    },
  },
  interface: {
    name: "every published function, message, event and view has the published shape",
    rules: ["P1"],
    run: async (subject) => {
      const differences = await (await subject.deploy()).compareInterface();
      expect(differences, "differences from the published interface").toEqual([]);
    },
  },
  calls: {
    name: "every published call works, and published readers return what it wrote",
    rules: ["P1"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const [first, second, third] = scored(10n, 20n, 30n).map(({ account }) => account);
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n) });
      await done(contract, "creator", { kind: "updateScore", stage: 1n, account: third as Account, amount: 30n });
      await done(contract, "creator", { kind: "increaseScore", stage: 1n, account: first as Account, amount: 5n });
      await done(contract, "creator", { kind: "decreaseScore", stage: 1n, account: second as Account, amount: 5n });
      const { total, rows } = await readPublished(contract);
      expect({ total, rows: sorted(rows) }).toEqual({ total: 60n, rows: sorted(scored(15n, 15n, 30n)) });
      expect(await contract.read.getPublishedScore(1n, first as Account)).toBe(15n);
      await done(contract, "creator", { kind: "addMember", account: contract.accountOf("alice") });
      await done(contract, "alice", { kind: "finalizeStage", stage: 1n });
      await done(contract, "alice", { kind: "updateScores", stage: 2n, rows: scored(1n) });
      await done(contract, "creator", { kind: "removeMember", account: contract.accountOf("alice") });
      const refused = await contract.call("alice", { kind: "updateScores", stage: 2n, rows: scored(2n) });
      expect(refused.outcome).toDiffer("DONE");
      expect(await readPublished(contract, 2n)).toMatchObject({ total: 1n, rows: scored(1n) });
    },
  },
  events: {
    name: "every published call emits the published events, with the score and the running total of each row",
    rules: ["P1"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const rows = scored(10n, 20n);
      const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      const events = await contract.getScoreEvents(hash);
      expect(sorted(events.flatMap((event) => (event.event === "row" ? [event] : [])))).toMatchObject(sorted(rows));
      let total = 0n;
      for (const event of events) {
        total += event.event === "row" ? event.score : 0n;
        expect(event).toMatchObject({ event: "row", stage: 1n, total });
      }
      const one = await done(contract, "creator", { ...updateScore, account: accountOf(0) });
      const event = { event: "row", stage: 1n, account: accountOf(0), score: 7n, total: 27n };
      expect(await contract.getScoreEvents(one.hash)).toEqual([event]);
      const finalized = await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const names = await contract.getEventNames(finalized.hash);
      const published = {
        evm: ["FinalizeStage", "CreateStage"],
        move: ["FinalizedScoreEvent"],
        wasm: ["finalize-stage", "create-stage"],
      };
      const missing = on(contract.vm, published).filter((name) => !names.includes(name));
      expect(missing, "events that a finalize does not emit").toEqual([]);
    },
  },
  "finalized-writes": {
    name: "published writes of a finalized stage are refused and change nothing",
    rules: ["P2"],
    run: async (subject) => {
      const contract = await deployFinalized(subject);
      const before = await readPublished(contract);
      for (const call of writes) {
        for (const role of ["creator", "alice", "carol"] as const) {
          expect((await contract.call(role, call)).outcome, `${call.kind} by ${role}`).toDiffer("DONE");
          expect(await readPublished(contract), `after ${call.kind} by ${role}`).toEqual(before);
        }
      }
    },
  },
  pages: {
    name: "pages of any size have every score of 10,000 once, and the total is their sum",
    rules: ["P4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      // Low scores, because a contract may refuse high ones.
      const rows = rowsOf(10_000).map(({ account }, index) => ({ account, score: BigInt(1 + (index % 100)) }));
      await writeRows(contract, rows);
      const total = rows.reduce((sum, { score }) => sum + score, 0n);
      for (const limit of [1_000, 999, 100]) {
        const seen = await readPublished(contract, 1n, limit);
        expect(seen.rows, `rows in pages of ${limit}`).toHaveLength(rows.length);
        expect({ ...seen, rows: sorted(seen.rows) }, `pages of ${limit}`).toMatchObject({ total, rows: sorted(rows) });
      }
    },
  },
  totals: {
    name: "the total is the sum of the scores after every kind of write",
    rules: ["P4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n, 30n) });
      for (const call of writes) {
        await done(contract, "creator", call);
        await done(contract, "creator", call);
        const { total, rows } = await readPublished(contract);
        expect(total, `total after ${call.kind}`).toBe(rows.reduce((sum, { score }) => sum + score, 0n));
      }
    },
  },
  "finalized-random": {
    name: "no entry point changes a finalized stage, with random arguments of members, the owner and strangers",
    rules: ["P2"],
    run: async (subject) => {
      for (const name of await (await subject.deploy()).entryPoints()) await expectNoWay(subject, name);
    },
  },
});

const updateScore = { kind: "updateScore", stage: 1n, amount: 7n } as const;

/** A stage whose number occurs in storage only where it is meant. */
const rareStage = 0x5ca1_ab1e_c0de_d00dn;

/** Calls an entry point of a new contract, twice by each role, and then writes as a member. */
async function expectNoWay(subject: Subject, name: string): Promise<void> {
  const stage = rareStage;
  const contract = await deployFinalized(subject, stage);
  const before = await readPublished(contract, stage);
  const expectUnchanged = async (after: string, { hash, outcome }: CallResult): Promise<void> => {
    expect(await readPublished(contract, stage), `the finalized stage after ${after}`).toEqual(before);
    const changes = outcome === "DONE" ? await contract.changesInStorage(stage, hash) : [];
    expect(changes, `changes in the storage of the finalized stage after ${after}`).toEqual([]);
  };
  const accounts = [accountOf(0), contract.accountOf("alice"), accountOf(9)] as const;
  for (const round of [1, 2]) {
    for (const role of ["carol", "alice", "creator"] as const) {
      const values = randomValues(`${subject.seed} ${name} ${role} ${round}`, { stage, accounts });
      const { sent, ...result } = await contract.callAtRandom(role, name, values);
      await expectUnchanged(`${role} called ${sent}`, result);
    }
  }
  // The call may have opened the stage again.
  for (const role of ["alice", "creator"] as const) {
    const result = await contract.call(role, { ...updateScore, stage, account: accountOf(0) });
    await expectUnchanged(`${name}, and a write of ${role}`, result);
  }
}
