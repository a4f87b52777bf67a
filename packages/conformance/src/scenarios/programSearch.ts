import { u64Max, type Account } from "@vipscore/core";
import { expect } from "../expect.ts";
import { inArea } from "../scenario.ts";
import { randomValues, seededRandom, type SeededRandom } from "../seededRandom.ts";
import type { Caller, CallResult, DeployedContract, Row, Subject, SubjectCall } from "../subject.ts";
import {
  accountOf,
  done,
  on,
  readPublished,
  readRows,
  readScores,
  rowsOf,
  scored,
  sorted,
  type PublishedStage,
} from "./expectations.ts";

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

      const contract = await subject.deploy();
      await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: scored(10n, 20n, 30n) });
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const before = await readPublished(contract);
      const named = numbers.map((score) => ({ account: accountOf(0), score }));
      for (const { account, score: amount } of [...named, ...fives]) {
        for (const kind of ["updateScore", "increaseScore"] as const) {
          const { outcome } = await contract.call("creator", { kind, stage: 1n, account, amount });
          expect(outcome, `${kind} of ${account} by ${amount} in a finalized stage`).toDiffer("DONE");
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
        const search = await Search.start(subject, names, name);
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
        const search = await Search.start(subject, names, `sequence ${sequence}`);
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
    name: "pages of any size and each score read alone have every row of 10,003 as its event had it, and the total is their sum",
    rules: ["P1", "P4"],
    run: async (subject) => {
      const contract = await subject.deploy();
      const sizes = on<readonly number[]>(subject.vm, batchSizes);
      // Low scores, because a contract may refuse high ones.
      const rows = rowsOf(manyRows).map(({ account }, index) => ({ account, score: BigInt(1 + (index % 100)) }));
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
      for (const limit of [999, 100]) await expectRows(contract, rows, limit);
      await done(contract, "creator", { kind: "finalizeStage", stage: 1n });
      const next = rows.slice(0, rowsOfBatch).map(({ account }) => ({ account, score: 7n }));
      await done(contract, "creator", { kind: "updateScores", stage: 2n, rows: next });
      expect(await contract.read.getPublishedTotal(2n), "the total of 200 rows of 7").toBe(1_400n);
      await expectRows(contract, rows, 1_000);
      const scores = await readScores(contract, 1n, rows);
      const different = rows.filter(({ score }, index) => scores[index] !== score);
      expect(different, "rows whose score is another one when it is read alone").toEqual([]);
    },
  },
});

/** Calls of an entry point by one caller: until so many succeeded. */
const enoughCalls = 3;
const mostCalls = 6;
const sequences = 6;
const stepsOfSequence = 100;
const stagesOfSequence = 3;

/** Writes a batch of new accounts, and compares its events with the rows. */
async function writeAndCompare(
  contract: DeployedContract,
  rows: readonly Row[],
  before: readonly Row[],
): Promise<void> {
  const { hash } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows });
  const events = await contract.getScoreEvents(hash);
  const seen = events.flatMap((event) =>
    event.event === "row" ? [{ account: event.account, score: event.score }] : [],
  );
  expect(sorted(seen), `events of a batch of ${rows.length}`).toEqual(sorted(rows));
  expect(events.at(-1)?.total, `the total in the last event of a batch of ${rows.length}`).toBe(
    sumOf([...before, ...rows]),
  );
}

async function expectRows(contract: DeployedContract, rows: readonly Row[], limit: number): Promise<void> {
  const seen = await readRows(contract, 1n, limit);
  expect(seen, `rows in pages of ${limit}`).toHaveLength(rows.length);
  expect(sorted(seen), `pages of ${limit}`).toEqual(sorted(rows));
  expect(await contract.read.getPublishedTotal(1n), `the total of ${rows.length} rows`).toBe(sumOf(rows));
}

/** Writes rows to an empty contract. A contract may refuse them, but not write others. */
async function writeOrRefuse(contract: DeployedContract, rows: readonly Row[]): Promise<void> {
  const { outcome } = await contract.call("creator", { kind: "updateScores", stage: 1n, rows });
  const kept = outcome === "DONE" ? rows : [];
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

const oneDay = 86_400;
/** Seconds: an hour, a day, a month, a year. */
const times = [3_600, oneDay, 2_678_400, 31_622_400] as const;

/** The first stage of a search: a number that occurs in storage only where it is meant. */
export function stageOfSearch(seed: number, name: string): bigint {
  const { below } = seededRandom(`${seed} ${name} stage`);
  return 2n ** 62n + BigInt(below(2 ** 31)) * 2n ** 31n + BigInt(below(2 ** 31));
}

/** Random calls on one contract, after each of which every finalized stage must be as it was. */
class Search {
  readonly callers: readonly [Caller, ...Caller[]];
  readonly #subject: Subject;
  readonly #contract: DeployedContract;
  readonly #random: SeededRandom;
  readonly #accounts: readonly [Account, ...Account[]];
  readonly #names: readonly string[];
  readonly #waiting: string[] = [];
  readonly #frozen = new Map<bigint, PublishedStage>();
  #open: bigint;
  /** The calls that were done, for the report of a fault. */
  readonly #done: string[] = [];
  #calls = 0;

  private constructor(
    subject: Subject,
    contract: DeployedContract,
    names: readonly string[],
    random: SeededRandom,
    open: bigint,
  ) {
    this.#subject = subject;
    this.#contract = contract;
    this.#names = names;
    this.#random = random;
    this.#open = open;
    this.callers = ["carol", "alice", "creator", ...subject.namedCallers];
    this.#accounts = [accountOf(0), contract.accountOf("alice"), accountOf(9), ...subject.named.accounts];
  }

  /** Deploys a contract with two members and three scores. */
  static async start(subject: Subject, entryPoints: readonly string[], name: string): Promise<Search> {
    const random = seededRandom(`${subject.seed} ${name}`);
    const open = stageOfSearch(subject.seed, name);
    const contract = await subject.deploy({ initStage: open, members: ["alice"] });
    await done(contract, "creator", { kind: "updateScores", stage: open, rows: scored(10n, 20n, 30n) });
    return new Search(subject, contract, entryPoints, random, open);
  }

  /** One random step: a call of any entry point, a write, a finalize, or time. */
  async step(): Promise<void> {
    const { below, pick } = this.#random;
    const role = pick(["alice", "creator"] as const);
    const kind = below(20);
    if (kind < 1 && this.#frozen.size < stagesOfSequence) return this.finalize();
    if (kind < 3) return this.#passTime(pick(times));
    if (kind < 6) return this.tryToWrite(role);
    if (this.#waiting.length === 0) this.#waiting.push(...this.#names);
    const [name = ""] = this.#waiting.splice(below(this.#waiting.length), 1);
    await this.#callAtRandom(pick(this.callers), name, [...this.#frozen.keys()]);
  }

  /** Calls an entry point by each caller, mostly about a finalized stage, which such a call may open again. */
  async callByEach(name: string): Promise<void> {
    const stages = [...this.#frozen.keys(), ...this.#frozen.keys()];
    const succeeded = new Map<Caller, number>();
    for (let round = 0; round < mostCalls; round += 1) {
      for (const caller of this.callers) {
        const before = succeeded.get(caller) ?? 0;
        if (before === enoughCalls) continue;
        if (!(await this.#callAtRandom(caller, name, stages))) continue;
        succeeded.set(caller, before + 1);
        await this.tryToWrite("alice", stages[0]);
      }
    }
  }

  /** @param stages - The stages that the call may be about, apart from the open one. @returns True if it succeeded. */
  async #callAtRandom(caller: Caller, name: string, stages: readonly bigint[]): Promise<boolean> {
    this.#calls += 1;
    const values = randomValues(`${this.#subject.seed} ${name} ${this.#calls} ${this.#random.below(2 ** 31)}`, {
      stages: [this.#open, ...stages],
      accounts: this.#accounts,
      numbers: this.#subject.named.numbers,
    });
    const { sent, ...result } = await this.#contract.callAtRandom(caller, name, values);
    const count = this.#subject.calls.get(name) ?? { sent: 0, succeeded: 0 };
    this.#subject.calls.set(name, count);
    count.sent += 1;
    if (result.outcome === "DONE") count.succeeded += 1;
    await this.#expectFrozen(`${caller} called ${sent}`, result);
    if (result.outcome !== "DONE") return false;
    if (await this.#isFinalize(result)) await this.#freeze();
    return true;
  }

  /** Writes as a member to a stage, by default the open one or a finalized one, by a published call. */
  async tryToWrite(role: "alice" | "creator", to?: bigint): Promise<void> {
    const { pick, below } = this.#random;
    const stage = to ?? pick([this.#open, ...this.#frozen.keys()]);
    const one = { stage, account: pick(this.#accounts), amount: BigInt(1 + below(9)) } as const;
    const call = pick<SubjectCall>([
      { kind: "updateScore", ...one },
      { kind: "increaseScore", ...one },
      { kind: "decreaseScore", ...one },
      { kind: "updateScores", stage, rows: [{ account: one.account, score: one.amount }] },
    ]);
    await this.#expectFrozen(`${role} made the call ${call.kind}`, await this.#contract.call(role, call));
  }

  /** Finalizes the open stage, if a member can, and gives the next one a score. */
  async finalize(): Promise<void> {
    const stage = this.#open;
    const result = await this.#contract.call("creator", { kind: "finalizeStage", stage });
    await this.#expectFrozen("creator made the call finalizeStage", result);
    if (result.outcome !== "DONE") return;
    await this.#freeze();
    // The first chances of what opens the stage for some time: at once, and a day later.
    await this.tryToWrite("alice", stage);
    await this.#passTime(oneDay);
    await this.tryToWrite("alice", stage);
    await this.#expectFrozen(
      "a write to the next stage",
      await this.#contract.call("creator", { kind: "updateScores", stage: this.#open, rows: scored(1n, 2n) }),
    );
  }

  /** Whether a call finalized the open stage: it emitted the published event. */
  async #isFinalize({ hash }: CallResult): Promise<boolean> {
    const name = { evm: "FinalizeStage", move: "FinalizedScoreEvent", wasm: "finalize-stage" };
    return (await this.#contract.getEventNames(hash)).includes(on(this.#subject.vm, name));
  }

  /** Reads a stage of few rows: a published page on EVM is as long as its limit. */
  #read(stage: bigint): Promise<PublishedStage> {
    return readPublished(this.#contract, stage, 10);
  }

  async #freeze(): Promise<void> {
    this.#frozen.set(this.#open, await this.#read(this.#open));
    this.#open += 1n;
  }

  async #passTime(seconds: number): Promise<void> {
    await this.#subject.passTime?.(seconds);
    await this.#expectFrozen(`${seconds / 3_600} hours`);
  }

  /** Compares the finalized stages after time has passed, or after a call. One that failed changed nothing: its chain undid it. */
  async #expectFrozen(after: string, result?: CallResult): Promise<void> {
    if (result !== undefined && result.outcome !== "DONE") return;
    const story = [...this.#done.slice(-8), after].join("; ");
    for (const [stage, before] of this.#frozen) {
      expect(await this.#read(stage), `the finalized stage after ${story}`).toEqual(before);
    }
    if (result === undefined) return;
    const stages = [...this.#frozen.keys()];
    const changes = stages.length === 0 ? [] : await this.#contract.changesInStorage(stages, result.hash);
    expect(changes, `changes in the storage of the finalized stage after ${story}`).toEqual([]);
    // The reference contracts' totals wrap, and a second finalize resets one on Wasm, so the total is not compared.
    const { rows, scores } = await this.#read(this.#open);
    expect(scores, `the scores of the open stage after ${story}`).toEqual(rows.map(({ score }) => score));
    this.#done.push(after);
  }
}
