import type { Account } from "@vipscore/core";
import { expect } from "../expect.ts";
import { randomValues, seededRandom, type SeededRandom, type ValueSource } from "../seededRandom.ts";
import type { Caller, CallResult, DeployedContract, Subject, SubjectCall } from "../subject.ts";
import { amountsOf, type Amounts } from "./amounts.ts";
import { accountOf, expectOutcome, on, readPublished, type PublishedStage } from "./expectations.ts";

/** Calls of an entry point by one caller: until so many succeeded. */
const enoughCalls = 4;
const mostCalls = 10;
const stagesOfSequence = 3;

/** Seconds: the time of a block of our chains of Move and Wasm. */
const thirdOfDay = 28_800;
/** Seconds: an hour, a day, a month, a year. */
const times = [3_600, 86_400, 2_678_400, 31_622_400] as const;

const lowestOfSearch = 2n ** 62n;

/** The first stage of a search: a number that occurs in storage only where it is meant. */
export function stageOfSearch(seed: number, name: string): bigint {
  const { below } = seededRandom(`${seed} ${name} stage`);
  return lowestOfSearch + BigInt(below(2 ** 31)) * 2n ** 31n + BigInt(below(2 ** 31));
}

/** The published calls that write a score. */
export function writesOf(stage: bigint, account: Account, score: bigint): readonly SubjectCall[] {
  const one = { stage, account, amount: score };
  return [
    { kind: "updateScore", ...one },
    { kind: "increaseScore", ...one },
    { kind: "decreaseScore", ...one },
    { kind: "updateScores", stage, rows: [{ account, score }] },
  ];
}

/** Random calls on one contract, after each of which every finalized stage must be as it was. */
export class Search {
  readonly callers: readonly [Caller, ...Caller[]];
  readonly #subject: Subject;
  readonly #contract: DeployedContract;
  readonly #amounts: Amounts;
  readonly #random: SeededRandom;
  readonly #accounts: readonly [Account, ...Account[]];
  readonly #names: readonly string[];
  readonly #waiting: string[] = [];
  readonly #frozen = new Map<bigint, PublishedStage>();
  #open: bigint;
  /** The calls that were done, for the report of a fault. */
  readonly #done: string[] = [];
  #calls = 0;
  #writes: number;

  private constructor(
    subject: Subject,
    contract: DeployedContract,
    amounts: Amounts,
    names: readonly string[],
    random: SeededRandom,
    open: bigint,
  ) {
    this.#subject = subject;
    this.#contract = contract;
    this.#amounts = amounts;
    this.#names = names;
    this.#random = random;
    this.#writes = random.below(8);
    this.#open = open;
    this.callers = ["carol", "alice", "creator", ...subject.namedCallers];
    this.#accounts = [accountOf(0), contract.accountOf("alice"), accountOf(9), ...subject.named.accounts];
  }

  /** Deploys a contract with two members and three scores, of which a share is no 0. */
  static async start(subject: Subject, entryPoints: readonly string[], name: string, open: bigint): Promise<Search> {
    const random = seededRandom(`${subject.seed} ${name}`);
    const amounts = await amountsOf(subject);
    const contract = await subject.deploy({ initStage: open, members: ["alice"] });
    const write = (unit: bigint) =>
      contract.call("creator", { kind: "updateScores", stage: open, rows: amounts.rows(unit, 2n * unit, 3n * unit) });
    let unit = 1_000n;
    let result = await write(unit);
    // A contract may refuse high scores.
    for (; unit > 1n && result.outcome !== "DONE"; result = await write(unit)) unit /= 10n;
    expectOutcome(result, "DONE");
    return new Search(subject, contract, amounts, entryPoints, random, open);
  }

  /** One random step: a call of any entry point, a write, a finalize, or time. */
  async step(): Promise<void> {
    const { below, pick } = this.#random;
    const kind = below(20);
    if (kind < 1 && this.#frozen.size < stagesOfSequence) return this.finalize();
    if (kind < 3) return this.#passTime(pick(times));
    if (kind < 6) return this.tryToWrite(pick([this.#open, ...this.#frozen.keys()]));
    if (this.#waiting.length === 0) this.#waiting.push(...this.#names);
    const [name = ""] = this.#waiting.splice(below(this.#waiting.length), 1);
    // Most entry points are for one of the callers, also those that only prepare what another one does.
    const from = below(this.callers.length);
    const callers = [...this.callers.slice(from), ...this.callers.slice(0, from)].slice(0, 3);
    for (const caller of callers) if (await this.#callAtRandom(caller, name, [...this.#frozen.keys()])) return;
  }

  /** Calls an entry point by each caller, mostly about a finalized stage, which such a call may open again. */
  async callByEach(name: string): Promise<void> {
    const [first = this.#open] = this.#frozen.keys();
    const succeeded = new Map<Caller, number>();
    for (let round = 0; round < mostCalls; round += 1) {
      for (const caller of this.callers) {
        const before = succeeded.get(caller) ?? 0;
        if (before === enoughCalls) continue;
        if (!(await this.#callAtRandom(caller, name, [first, first]))) continue;
        succeeded.set(caller, before + 1);
        await this.tryToWrite(first);
      }
    }
    const about = { stage: first, account: accountOf(0) };
    const numbers = [
      // The stage in every number too: it need not be the first one.
      ...this.callers.flatMap((caller) => [[caller, 1n] as const, [caller, first] as const]),
      ...this.#subject.named.ownNumbers.map((number) => ["creator", number] as const),
    ];
    for (const [caller, number] of numbers) {
      if (await this.#callAtRandom(caller, name, [first], { ...about, number })) await this.tryToWrite(first);
    }
  }

  /**
   * @param stages - The stages that the call may be about, apart from the open one.
   * @param about - What every number and account of the call is. Default: random.
   * @returns True if it succeeded.
   */
  async #callAtRandom(
    caller: Caller,
    name: string,
    stages: readonly bigint[],
    about?: ValueSource["about"],
  ): Promise<boolean> {
    this.#calls += 1;
    const values = randomValues(`${this.#subject.seed} ${name} ${this.#calls} ${this.#random.below(2 ** 31)}`, {
      stages: [this.#open, ...stages],
      accounts: this.#accounts,
      numbers: this.#subject.named.ownNumbers,
      about,
    });
    const { sent, ...result } = await this.#contract.callAtRandom(caller, name, values);
    const count = this.#subject.calls.get(name) ?? { sent: 0, succeeded: 0 };
    this.#subject.calls.set(name, count);
    count.sent += 1;
    if (result.outcome === "DONE") count.succeeded += 1;
    await this.#expectFrozen(`${caller} called ${sent}`, result);
    if (result.outcome !== "DONE") return false;
    if (await this.#isFinalize(result)) await this.#freeze(result);
    return true;
  }

  /** Writes to a stage as one of the members, the next one and by the next published call each time. */
  async tryToWrite(stage: bigint): Promise<void> {
    const { pick, below } = this.#random;
    const calls = writesOf(stage, pick(this.#accounts), this.#amounts.score(BigInt(1 + below(9))));
    const role = (this.#writes + Math.floor(this.#writes / calls.length)) % 2 === 0 ? "alice" : "creator";
    const call = calls[this.#writes % calls.length] as SubjectCall;
    this.#writes += 1;
    await this.#expectFrozen(`${role} made the call ${call.kind}`, await this.#contract.call(role, call));
  }

  /** Finalizes the open stage, if a member can, and gives the next one a score. */
  async finalize(): Promise<void> {
    const stage = this.#open;
    const result = await this.#contract.call("creator", { kind: "finalizeStage", stage });
    await this.#expectFrozen("creator made the call finalizeStage", result);
    if (result.outcome !== "DONE") return;
    await this.#freeze(result);
    // The first chances of what opens the stage for some time: at once, and for two days.
    for (let third = 0; third < 7; third += 1) {
      await this.tryToWrite(stage);
      await this.#passTime(thirdOfDay);
    }
    const next = { kind: "updateScores", stage: this.#open, rows: this.#amounts.rows(1n, 2n) } as const;
    await this.#expectFrozen("a write to the next stage", await this.#contract.call("creator", next));
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

  async #freeze({ hash }: CallResult): Promise<void> {
    this.#frozen.set(this.#open, await this.#read(this.#open));
    // What it changed may be an argument of later calls.
    await this.#contract.changesInStorage([this.#open], hash);
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
    const stages = [...this.#frozen.keys()].filter((stage) => stage >= lowestOfSearch);
    const changes = stages.length === 0 ? [] : await this.#contract.changesInStorage(stages, result.hash);
    const own =
      "a mapping of your own by stage counts: refuse such a call once the stage is finalized, or key it otherwise";
    expect(changes, `changes in the storage of the finalized stage (${own}) after ${story}`).toEqual([]);
    // The reference contracts' totals wrap, and a second finalize resets one on Wasm, so the total is not compared.
    const { rows, scores } = await this.#read(this.#open);
    expect(scores, `the scores of the open stage after ${story}`).toEqual(rows.map(({ score }) => score));
    this.#done.push(after);
  }
}
