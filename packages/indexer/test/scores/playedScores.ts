import { stage as toStage, type Account, type ScoreContract, type Stage, type StageInfo } from "@vipscore/core";
import type { ReadScoreEvents, StageWrites } from "../../src/chain/scoreEvents.ts";
import type { HeadChain } from "../../src/follow/newHeads.ts";

/** A row of a call: the number of an account, and its score. */
export type PlayedRow = readonly [account: number, score: bigint];

/** A call of the open stage. */
export type PlayedCall =
  | "finalize"
  | {
      readonly rows: readonly PlayedRow[];
      /** Default: an event for each row. */
      readonly as?: "events" | "packed" | "silence" | undefined;
      /** What the events say instead of the rows, and of the total. */
      readonly emitted?: readonly PlayedRow[] | undefined;
      readonly emittedTotal?: bigint | undefined;
    };

/** What the follower asks for. */
export interface Asked {
  readonly kind: "head" | "hash" | "events" | "stage" | "rows";
  readonly height: number;
}

/** A stage as the contract has it. */
export interface PlayedStage {
  readonly rows: ReadonlyMap<Account, bigint>;
  readonly revision: bigint;
  readonly isFinalized: boolean;
}

interface PlayedBlock {
  readonly hash: string;
  readonly stages: ReadonlyMap<Stage, PlayedStage>;
  readonly writes: readonly (readonly [stage: Stage, call: Exclude<PlayedCall, "finalize">, total: bigint])[];
}

/** Accounts of 20 and of 32 bytes. */
export function playedAccount(number: number): Account {
  const long = number % 3 === 0;
  return `0x${(long ? "ee" : "") + (number * 0x9e37).toString(16).padStart(long ? 62 : 40, "0")}` as Account;
}

export function totalOf({ rows }: PlayedStage): bigint {
  return [...rows.values()].reduce((sum, score) => sum + score, 0n);
}

/** A scoring contract in memory and its chain, for behavior that no local node can be made to show. Block 0 creates it. */
export class PlayedScores {
  readonly identity = { vm: "move", chainId: "played-1", address: "0xc0de" } as const;
  readonly #first: Stage;
  #blocks: PlayedBlock[];
  #forks = 0;
  /** The kinds of requests, in order. */
  readonly asked: Asked["kind"][] = [];
  /** True for a contract that says neither counts nor revisions. */
  isReference = false;
  /** The height whose state is the answer; may throw, and wait. */
  show: (asked: Asked, signal: AbortSignal | undefined) => number | Promise<number> = ({ height }) => height;
  /** What the contract says of a stage instead of the truth. */
  say: (info: StageInfo) => StageInfo = (info) => info;

  constructor(first = 1n) {
    this.#first = toStage(first);
    const stages = new Map([[this.#first, { rows: new Map<Account, bigint>(), revision: 0n, isFinalized: false }]]);
    this.#blocks = [{ hash: this.#hashOf(0), stages, writes: [] }];
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  /** The stages at a height. */
  stagesAt(height: number): ReadonlyMap<Stage, PlayedStage> {
    return this.#blocks[height]?.stages ?? new Map<Stage, PlayedStage>();
  }

  /** The open stage, which is the last one. */
  get open(): readonly [Stage, PlayedStage] {
    const last = [...this.stagesAt(this.head)].at(-1);
    if (last === undefined) throw new Error("the contract has a stage");
    return last;
  }

  /** Makes a block with the calls. */
  mine(...calls: readonly PlayedCall[]): void {
    const stages = new Map(this.stagesAt(this.head));
    const writes: PlayedBlock["writes"][number][] = [];
    for (const call of calls) {
      const last = [...stages].at(-1);
      if (last === undefined || last[1].isFinalized) continue;
      const [stage, { rows, revision }] = last;
      if (call === "finalize") {
        stages.set(stage, { rows, revision, isFinalized: true });
        if (stage < 2n ** 64n - 1n)
          stages.set(toStage(stage + 1n), { rows: new Map(), revision: 0n, isFinalized: false });
      } else {
        const written = call.rows.map(([account, score]) => [playedAccount(account), score] as const);
        const next = { rows: new Map([...rows, ...written]), revision: revision + 1n, isFinalized: false };
        stages.set(stage, next);
        writes.push([stage, call, totalOf(next)]);
      }
    }
    this.#blocks.push({ hash: this.#hashOf(this.#blocks.length), stages, writes });
  }

  /** Makes blocks without calls. */
  mineEmpty(count: number): void {
    for (let mined = 0; mined < count; mined += 1) this.mine();
  }

  /** Drops the blocks above a height; those that are mined then have other hashes. */
  fork(height: number): void {
    this.#forks += 1;
    this.#blocks = this.#blocks.slice(0, height + 1);
  }

  readonly chain: HeadChain = {
    readHead: (signal) => this.#ask({ kind: "head", height: this.head }, signal),
    readBlockHash: async (asked, signal) =>
      this.#blocks[await this.#ask({ kind: "hash", height: asked }, signal)]?.hash,
  };

  readonly readEvents: ReadScoreEvents = async ({ first, last }, signal) => {
    await this.#ask({ kind: "events", height: last }, signal);
    const said = new Map<Stage, StageWrites>();
    for (const [stage, { as, rows, emitted = rows, emittedTotal }, total] of this.#blocks
      .slice(first, last + 1)
      .flatMap(({ writes }) => writes)) {
      if (as === "silence") continue;
      const known = said.get(stage) ?? { scores: new Map<Account, bigint>(), isPacked: false, total };
      known.total = emittedTotal ?? total;
      if (as === "packed") known.isPacked = true;
      else for (const [account, score] of emitted) known.scores.set(playedAccount(account), score);
      said.set(stage, known);
    }
    return said;
  };

  /** The reads of the contract that the follower uses. */
  get contract(): ScoreContract {
    const reads: Pick<ScoreContract, "identity" | "getInitStage" | "getStage" | "getScores"> = {
      identity: this.identity,
      getInitStage: async () => this.#first,
      getStage: async (stage, { height, signal } = {}) => {
        const held = await this.#read("stage", stage, height, signal);
        if (held === undefined) return undefined;
        const { rows, revision, isFinalized } = held;
        const known = this.isReference
          ? { count: undefined, revision: undefined }
          : { count: BigInt(rows.size), revision };
        return this.say({ stage, total: totalOf(held), isFinalized, ...known });
      },
      getScores: (stage, { height, signal }) => this.#pages(stage, height, signal),
    };
    // The follower calls no other method.
    return reads as ScoreContract;
  }

  async *#pages(stage: Stage, height: bigint, signal: AbortSignal | undefined) {
    for (let from = 0; ; from += 3) {
      const { rows } = (await this.#read("rows", stage, height, signal)) ?? { rows: new Map<Account, bigint>() };
      yield [...rows].slice(from, from + 3).map(([account, score]) => ({ account, score }));
      if (from + 3 >= rows.size) return;
    }
  }

  async #read(kind: "stage" | "rows", stage: Stage, height: bigint | undefined, signal: AbortSignal | undefined) {
    const shown = await this.#ask({ kind, height: Number(height) }, signal);
    return this.stagesAt(shown).get(stage);
  }

  async #ask(asked: Asked, signal: AbortSignal | undefined): Promise<number> {
    signal?.throwIfAborted();
    this.asked.push(asked.kind);
    return this.show(asked, signal);
  }

  #hashOf(height: number): string {
    return `${this.#forks}${height.toString(16).padStart(63, "0")}`;
  }
}
