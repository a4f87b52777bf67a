import { expect } from "../expect.ts";
import { inArea, onContract } from "../scenario.ts";
import type { DeployedContract, Row, Subject, SubjectCall } from "../subject.ts";
import { amountsOf, most, type Amounts } from "./amounts.ts";
import { accountOf, done, on, readPublished, readRows, rowsOf, sorted } from "./expectations.ts";

/** A contract whose first stage has three scores and is finalized, with alice as a second member. */
async function deployFinalized(subject: Subject): Promise<DeployedContract> {
  const { rows } = await amountsOf(subject);
  const contract = await subject.deploy({ members: ["alice"] });
  await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rows(10n, 20n, 30n) });
  await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
  return contract;
}

/** Writes of members, each of which changes a stage with the scores 10, 20 and 30. */
const writes = ({ score, change }: Amounts, stage = 1n): readonly SubjectCall[] => [
  { kind: "updateScore", stage, account: accountOf(0), amount: score(11n) },
  { kind: "increaseScore", stage, account: accountOf(1), amount: change(1n) },
  { kind: "decreaseScore", stage, account: accountOf(2), amount: change(1n) },
  { kind: "updateScores", stage, rows: [{ account: accountOf(7), score: score(5n) }] },
];

/** Batches of the scenario of pages, and the limits that it reads with: around the number of rows, and far from it. */
const batchSizes = [1, 29, 101];
const pageLimits = [7, 100, 130, 131, 132, 1_000];

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
      // A package may have other modules too.
      const names = subject.publish === undefined ? undefined : await subject.publish();
      const name = names?.includes("vip_score") === true ? "vip_score" : names?.join();
      expect(name).toBe(on(subject.vm, { evm: undefined, move: "vip_score", wasm: undefined }));
      // A module of that name that has no scores cannot be set up.
      await subject.deploy();
    },
  },
  interface: {
    name: "every published function, message, event and view has the published shape",
    rules: ["P1"],
    run: onContract(async (contract) => {
      expect(await contract.compareInterface(), "differences from the published interface").toEqual([]);
    }),
  },
  calls: {
    name: "every published call works, and published readers return what it wrote",
    rules: ["P1"],
    run: onContract(async (contract, subject) => {
      const { score, change, rows } = await amountsOf(subject);
      const [first, second, third] = [accountOf(0), accountOf(1), accountOf(2)];
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rows(10n, 20n) });
      await done(contract, "creator", { kind: "updateScore", stage: 1n, account: third, amount: score(30n) });
      await done(contract, "creator", { kind: "increaseScore", stage: 1n, account: first, amount: change(5n) });
      await done(contract, "creator", { kind: "decreaseScore", stage: 1n, account: second, amount: change(5n) });
      const seen = await readPublished(contract);
      const total = score(15n) + score(15n) + score(30n);
      expect({ total: seen.total, rows: sorted(seen.rows) }).toEqual({ total, rows: sorted(rows(15n, 15n, 30n)) });
      expect(await contract.read.getPublishedScore(1n, first)).toBe(score(15n));
      await done(contract, "creator", { kind: "addMember", account: contract.accountOf("alice") });
      await done(contract, "alice", { kind: "finalizeStage", stage: 1n });
      await done(contract, "alice", { kind: "updateScores", stage: 2n, rows: rows(1n) });
      await done(contract, "creator", { kind: "removeMember", account: contract.accountOf("alice") });
      const refused = await contract.call("alice", { kind: "updateScores", stage: 2n, rows: rows(2n) });
      expect(refused.outcome).toDiffer("DONE");
      expect(await readPublished(contract, 2n)).toMatchObject({ total: score(1n), rows: rows(1n) });
    }),
  },
  events: {
    name: "every published call emits the published events, with the score and the running total of each row",
    rules: ["P1"],
    run: onContract(async (contract, subject) => {
      const amounts = await amountsOf(subject);
      const rows = amounts.rows(10n, 20n);
      const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
      const events = await contract.getScoreEvents(hash);
      expect(sorted(events.flatMap((event) => (event.event === "row" ? [event] : [])))).toMatchObject(sorted(rows));
      let total = 0n;
      for (const event of events) {
        total += event.event === "row" ? event.score : 0n;
        expect(event).toMatchObject({ event: "row", stage: 1n, total });
      }
      const account = accountOf(0);
      for (const [kind, amount, number] of [
        ["updateScore", amounts.score(7n), 7n],
        ["increaseScore", amounts.change(5n), 12n],
        ["decreaseScore", amounts.change(2n), 10n],
      ] as const) {
        const score = amounts.score(number);
        const one = await done(contract, "creator", { kind, stage: 1n, account, amount });
        const event = { event: "row", stage: 1n, account, score, total: amounts.score(20n) + score };
        expect(await contract.getScoreEvents(one.hash), `the events of ${kind}`).toEqual([event]);
      }
      const finalized = await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const names = await contract.getEventNames(finalized.hash);
      const published = {
        evm: ["FinalizeStage", "CreateStage"],
        move: ["FinalizedScoreEvent"],
        wasm: ["finalize-stage", "create-stage"],
      };
      const missing = on(contract.vm, published).filter((name) => !names.includes(name));
      expect(missing, "events that a finalize does not emit").toEqual([]);
    }),
  },
  "finalized-writes": {
    name: "published writes of a finalized stage are refused, and neither they nor calls on the next stage change it",
    rules: ["P2"],
    run: async (subject) => {
      const amounts = await amountsOf(subject);
      const contract = await deployFinalized(subject);
      const before = await readPublished(contract);
      for (const call of writes(amounts)) {
        for (const role of ["creator", "alice", "carol"] as const) {
          expect((await contract.call(role, call)).outcome, `${call.kind} by ${role}`).toDiffer("DONE");
          expect(await readPublished(contract), `after ${call.kind} by ${role}`).toEqual(before);
        }
      }
      const account = contract.accountOf("bob");
      const later: readonly SubjectCall[] = [
        ...writes(amounts, 2n),
        { kind: "addMember", account },
        { kind: "removeMember", account },
        { kind: "finalizeStage", stage: 2n },
      ];
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: amounts.rows(10n, 20n, 30n) });
      for (const call of later) {
        await done(contract, "creator", call);
        expect(await readPublished(contract), `the finalized stage after ${call.kind}`).toEqual(before);
      }
    },
  },
  pages: {
    name: "pages of any size have each score once, as its event and its own reader have it, and the total is their sum",
    rules: ["P1", "P4"],
    run: onContract(async (contract, subject) => {
      const { score } = await amountsOf(subject);
      const rows: Row[] = [];
      for (const size of batchSizes) {
        const batch = rowsOf(size, rows.length).map(({ account }, index) => {
          return { account, score: score(1n + (BigInt(index) % most)) };
        });
        rows.push(...batch);
        const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: batch });
        const events = await contract.getScoreEvents(hash);
        const seen = events.flatMap((event) => (event.event === "row" ? [event] : []));
        expect(sorted(seen), `events of a batch of ${size}`).toMatchObject(sorted(batch));
        const total = rows.reduce((sum, row) => sum + row.score, 0n);
        expect(events.at(-1)?.total, `the total in the last event of a batch of ${size}`).toBe(total);
      }
      for (const limit of pageLimits) {
        const seen = await readRows(contract, 1n, limit);
        expect(seen, `rows in pages of ${limit}`).toHaveLength(rows.length);
        expect(sorted(seen), `pages of ${limit}`).toEqual(sorted(rows));
      }
      const { rows: listed, scores, total } = await readPublished(contract);
      expect(scores, "the scores, each read alone").toEqual(listed.map((row) => row.score));
      expect(total, "the total").toBe(rows.reduce((sum, row) => sum + row.score, 0n));
    }),
  },
  totals: {
    name: "the total is the sum of the scores after every kind of write",
    rules: ["P4"],
    run: onContract(async (contract, subject) => {
      const amounts = await amountsOf(subject);
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: amounts.rows(10n, 20n, 30n) });
      for (const call of writes(amounts)) {
        await done(contract, "creator", call);
        await done(contract, "creator", call);
        const { total, rows } = await readPublished(contract);
        expect(total, `total after ${call.kind}`).toBe(rows.reduce((sum, { score }) => sum + score, 0n));
      }
    }),
  },
});
