import { u64Max } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea } from "../scenario.ts";
import type { DeployedContract, Row } from "../subject.ts";
import { amountsOf, most } from "./amounts.ts";
import { accountOf, done, on, readPublished, readRows, readScores, rowsOf, scored, sorted } from "./expectations.ts";
import { Search, stageOfSearch, writesOf } from "./search.ts";

/** Rows of a contract whose stages are all read whole: more than any page or list of 10,000. */
const manyRows = 10_003;

/** Rows of a batch that a transaction holds on each VM. */
const rowsOfBatch = 200;

/** Batches up to the largest that a transaction of the reference contract holds on each VM. */
const batchSizes = {
  evm: [1, 2, 99, 100, 101, rowsOfBatch],
  move: [1, 2, 99, 100, 101, 1_000, 5_000],
  wasm: [1, 2, 99, 100, 101, 1_000],
} as const;

/** What the program demands, searched for where nobody looks: by size, by time, in sequences, at what the code names. */
export const searchScenarios = inArea("program", "program", {
  amounts: {
    name: "amounts around 2^32, 2^53 and 2^63, and what the code names, are written as given or refused, and refused in a finalized stage",
    rules: ["P1", "P2", "P4"],
    run: async (subject) => {
      const { numbers, accounts } = subject.named;
      const around = [32n, 53n, 63n].flatMap((bits) => [-1n, 0n, 1n].map((more) => 2n ** bits + more));
      // Each stage's total stays below 2^64.
      const groups = [around.slice(0, 6), ...around.slice(6).map((one) => [one, 1n]), [u64Max - 1n, 1n]];
      const small = numbers.filter((number) => number < 2n ** 54n);
      const large = numbers.filter((number) => number >= 2n ** 54n);
      for (let from = 0; from < small.length; from += rowsOfBatch) groups.push(small.slice(from, from + rowsOfBatch));
      for (const amounts of [...groups, ...large.map((one) => [one])]) {
        await writeOrRefuse(await subject.deploy(), scored(...amounts));
      }
      const fives = accounts.map((account) => ({ account, score: 5n }));
      await writeOrRefuse(await subject.deploy(), fives);

      const { rows } = await amountsOf(subject);
      const contract = await subject.deploy();
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rows(10n, 20n, 30n) });
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const before = await readPublished(contract);
      const named = numbers.map((score) => ({ account: accountOf(0), score }));
      for (const { account, score } of [...named, ...fives]) {
        for (const call of writesOf(1n, account, score)) {
          const { outcome } = await contract.call("creator", call);
          expect(outcome, `${call.kind} of ${account} by ${score} in a finalized stage`).toDiffer("DONE");
        }
      }
      expect(await readPublished(contract), "the finalized stage after writes of what the code names").toEqual(before);
    },
  },
  "finalized-random": {
    name: "no entry point changes a finalized stage, called by members, the owner, strangers and accounts that the contract names",
    rules: ["P2"],
    run: async (subject) => {
      const names = await (await subject.deploy()).entryPoints();
      for (const name of names) {
        const search = await Search.start(subject, names, name, stageOfSearch(subject.seed, name));
        await search.finalize();
        await search.callByEach(name);
      }
    },
  },
  "finalized-sequences": {
    name: "no sequence of calls before and after a finalize changes a finalized stage, also after months and after the next finalize",
    rules: ["P2", "P4"],
    run: async (subject) => {
      const names = await (await subject.deploy()).entryPoints();
      for (let sequence = 1; sequence <= sequences; sequence += 1) {
        const name = `sequence ${sequence}`;
        // A contract may write to usual stages alone.
        const stage = sequence % 2 === 0 ? BigInt(sequence) : stageOfSearch(subject.seed, name);
        const search = await Search.start(subject, names, name, stage);
        for (let step = 0; step < stepsOfSequence; step += 1) await search.step();
      }
      // A search that reaches nothing finds nothing.
      expect(
        [...subject.calls.values()].some(({ succeeded }) => succeeded > 0),
        "a random call that succeeded",
      ).toBe(true);
    },
  },
  pages: {
    name: "pages of any size and each score read alone have every row of 10,003 as its event had it, also after 131 writes to the next stage, and the total is their sum",
    rules: ["P1", "P2", "P4"],
    run: async (subject) => {
      const { score } = await amountsOf(subject);
      const contract = await subject.deploy();
      const sizes = on<readonly number[]>(subject.vm, batchSizes);
      const rows = rowsOf(manyRows).map(({ account }, index) => ({
        account,
        score: score(1n + (BigInt(index) % most)),
      }));
      for (let from = 0, batch = 0; from < rows.length; batch += 1) {
        const size = sizes[batch] ?? sizes.at(-1) ?? 1;
        await writeAndCompare(contract, rows.slice(from, from + size), rows.slice(0, from));
        from += size;
        // Pages of as many rows as there are, and of one more or less.
        if (from > 300) continue;
        for (const limit of [from - 1, from, from + 1]) {
          if (limit > 0) await expectRows(contract, rows.slice(0, from), limit);
        }
      }
      const final = await rewriteMany(contract, rows);
      for (const limit of [999, 100]) await expectRows(contract, final, limit);
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const next = rows.slice(0, rowsOfBatch).map(({ account }) => ({ account, score: score(7n) }));
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: next });
      // More calls than a fault may count, each in a block of its own.
      for (const { account } of next.slice(0, callsToNext)) {
        await done(contract, "creator", { kind: "updateScore", stage: 2n, account, amount: score(8n) });
      }
      const total = BigInt(callsToNext) * score(8n) + BigInt(rowsOfBatch - callsToNext) * score(7n);
      expect(await contract.read.getPublishedTotal(2n), "the total of 200 rows of the next stage").toBe(total);
      await expectRows(contract, final, 1_000);
      const scores = await readScores(contract, 1n, final);
      const different = final.filter((row, index) => scores[index] !== row.score);
      expect(different, "rows whose score is another one when it is read alone").toEqual([]);
    },
  },
});

const sequences = 6;
const stepsOfSequence = 100;
const callsToNext = 130;

/** Writes a batch of new accounts, and compares its events with the rows. */
async function writeAndCompare(
  contract: DeployedContract,
  rows: readonly Row[],
  before: readonly Row[],
): Promise<void> {
  const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
  await expectEvents(contract, hash, rows, sumOf([...before, ...rows]));
}

/** Writes other scores to the first rows, in the largest batch that fits. Returns all rows. */
async function rewriteMany(contract: DeployedContract, rows: readonly Row[]): Promise<readonly Row[]> {
  for (const size of [1_000, 500, 300]) {
    // The next row has another score.
    const others = rows
      .slice(0, size)
      .map(({ account, score }, index) => ({ account, score: rows[index + 1]?.score ?? score }));
    const { outcome, hash } = await contract.call("creator", { kind: "updateScores", stage: 1n, rows: others });
    if (outcome !== "DONE") continue;
    const all = [...others, ...rows.slice(size)];
    await expectEvents(contract, hash, others, sumOf(all));
    return all;
  }
  return rows;
}

/** Compares the events of a batch with its rows, and the last one with the total. */
async function expectEvents(contract: DeployedContract, hash: string, rows: readonly Row[], total: bigint) {
  const events = await contract.getScoreEvents(hash);
  const seen = events.flatMap((event) =>
    event.event === "row" ? [{ account: event.account, score: event.score }] : [],
  );
  expect(sorted(seen), `events of a batch of ${rows.length}`).toEqual(sorted(rows));
  expect(events.at(-1)?.total, `the total in the last event of a batch of ${rows.length}`).toBe(total);
}

async function expectRows(contract: DeployedContract, rows: readonly Row[], limit: number): Promise<void> {
  const seen = await readRows(contract, 1n, limit);
  expect(seen, `rows in pages of ${limit}`).toHaveLength(rows.length);
  expect(sorted(seen), `pages of ${limit}`).toEqual(sorted(rows));
  expect(await contract.read.getPublishedTotal(1n), `the total of ${rows.length} rows`).toBe(sumOf(rows));
}

/** Writes rows to an empty contract. A contract may refuse them, but not write others. */
async function writeOrRefuse(contract: DeployedContract, rows: readonly Row[]): Promise<void> {
  const { outcome, hash } = await contract.call("creator", { kind: "updateScores", stage: 1n, rows });
  const kept = outcome === "DONE" ? rows : [];
  if (kept.length > 0) await expectEvents(contract, hash, rows, sumOf(rows));
  const seen = await readPublished(contract);
  expect({ ...seen, rows: sorted(seen.rows) }, `after a batch that is ${outcome}`).toEqual({
    total: seen.rows.length === 0 ? seen.total : sumOf(kept),
    rows: sorted(kept),
    scores: seen.rows.map(({ score }) => score),
  });
}

function sumOf(rows: readonly Row[]): bigint {
  return rows.reduce((sum, { score }) => sum + score, 0n);
}
