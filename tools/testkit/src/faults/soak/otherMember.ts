import { stage, type Account, type ScoreContract, type ScoreRow } from "@vipscore/core";
import { pollUntil } from "@vipscore/core/engine";
import { done } from "../../adapter/rows.ts";
import { forward, startProxy, type Proxy } from "../../proxy/startProxy.ts";
import { randomFor } from "../faultChoice.ts";
import { runKey, type RunTable } from "./runTable.ts";
import type { SoakChain } from "./soakChain.ts";

const stageOne = stage(1n);

/** Returns the key of the other member of a run. */
export function otherKey(seed: number): ReturnType<typeof runKey> {
  return runKey(-1 - seed);
}

/** Most rows that the other member writes in one call. */
const maxRows = 20;
/** Longest wait for its block, in milliseconds: a base fee that jumps leaves it waiting. */
const inclusionMs = 2_000;

/** Another member of a run's contract, who writes rows of the table with any score while the push runs. */
export class OtherMember {
  readonly #contract: ScoreContract;
  readonly #rows: readonly ScoreRow[];
  readonly #random;
  readonly #hashes: string[] = [];
  /** The accounts that it wrote. */
  readonly accounts = new Set<Account>();

  private constructor(contract: ScoreContract, { table }: RunTable, seed: number) {
    this.#contract = contract;
    this.#rows = [...table];
    this.#random = randomFor(seed, "other member");
  }

  /** Adds it to a contract of the run's signer. */
  static async join(chain: SoakChain, contract: ScoreContract, runTable: RunTable, seed: number): Promise<OtherMember> {
    const { address } = contract.identity;
    const own = await chain.connect(address, otherKey(seed));
    if (own.signer === undefined) throw new Error("the other member has a key");
    await done(contract, { kind: "addMember", account: own.signer });
    return new OtherMember(own, runTable, seed);
  }

  /**
   * Overwrites rows: with another score, with each other's, or with those of the table, as another machine's push does; the first time
   * with another score.
   */
  async overwrite(): Promise<void> {
    const first = this.#random.below(this.#rows.length - 1);
    const rows = this.#rows.slice(first, first + 2 + this.#random.below(maxRows - 1));
    const scores = rows.map(({ score }) => score);
    const [one = 0n, ...others] = scores;
    const higher = scores.map((score) => score + 1n);
    const drawn = this.#hashes.length === 0 ? higher : this.#random.pick([higher, [...others, one], scores]);
    const call = {
      kind: "updateScores",
      stage: stageOne,
      rows: rows.map((row, at) => ({ ...row, score: drawn[at] ?? row.score })),
    } as const;
    for (const { account } of rows) this.accounts.add(account);
    const sequence = await this.#contract.getSequence();
    const { maxGas: gas } = await this.#contract.getLimits();
    const transaction = await this.#contract.sign(call, { sequence, gas });
    await this.#contract.broadcast(transaction);
    this.#hashes.push(transaction.hash);
    await pollUntil(() => this.#heightOf(transaction.hash), { timeoutMs: inclusionMs });
  }

  /** Returns the heights of its calls that wrote. */
  async readHeights(): Promise<readonly bigint[]> {
    const heights = await Promise.all(this.#hashes.map((hash) => this.#heightOf(hash)));
    return heights.filter((height) => height !== undefined);
  }

  async #heightOf(hash: string): Promise<bigint | undefined> {
    const status = await this.#contract.lookUp(hash);
    return status.state === "included" && status.succeeded ? status.height : undefined;
  }
}

export interface OtherMemberProxyOptions {
  readonly seed: number;
  readonly member: OtherMember;
  /** A height at which the stage held the table. */
  readonly held: bigint;
}

/** A proxy in front of a run's node. */
export interface OtherMemberProxy extends Proxy {
  /** Number of reads that were answered from the state before the push. */
  readonly oldReads: () => number;
}

/**
 * How often reads come from an old state, how many in a row, and within which time, in milliseconds: less than nodes may be behind.
 */
const episodesMax = 2;
const oldReadsMax = 90;
const oldMs = 8_000;

/**
 * Starts a proxy before which the other member writes at drawn requests. Once the push has sent something, the proxy sometimes answers
 * some reads at a height from the state in which the stage held the table.
 */
export async function startOtherMemberProxy(
  chain: SoakChain,
  { seed, member, held }: OtherMemberProxyOptions,
): Promise<OtherMemberProxy> {
  const { endpoint, protocol } = chain;
  const random = randomFor(seed, "old reads");
  const writesAt = new Set(Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(30)));
  let [sent, requests, oldReads, left, episodes, end] = [0, 0, 0, 0, 0, Infinity];
  const proxy = await startProxy(async (request) => {
    const { role } = protocol.classify(request);
    if (role === "broadcast") sent += 1;
    if (sent > 0 && writesAt.has((requests += 1))) await member.overwrite();
    const old = sent > 0 && role === "read" ? chain.answerOld(request, held) : undefined;
    if (old !== undefined && left === 0 && episodes < episodesMax && random.below(6) === 0) {
      episodes += 1;
      left = 1 + random.below(oldReadsMax);
      end = Math.min(end, performance.now() + oldMs);
    }
    if (performance.now() > end) left = 0;
    if (old === undefined || left === 0) return forward(endpoint, request);
    left -= 1;
    oldReads += 1;
    return old();
  });
  return { ...proxy, oldReads: () => oldReads };
}
