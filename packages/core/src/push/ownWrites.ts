import { NodeError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import type { PushPlan } from "./planPush.ts";
import type { Verification } from "./verificationError.ts";
import { findLate, type Included, type Written } from "./waitForOutcome.ts";

/**
 * The calls of a push that wrote to its stage. Each raises the stage's revision by one, so a revision beyond them comes from
 * calls of others: the contract is the only place where pushes of several machines meet.
 */
export class OwnWrites {
  readonly #contract: ScoreContract;
  readonly #plan: PushPlan;
  readonly #journal: Journal | undefined;
  /** Number of transactions that the journal had as written before the push. */
  readonly #writtenBefore: number;
  /** Handed over, and not known to be in a block. */
  readonly #inDoubt = new Set<string>();
  /** The heights of confirmed transactions, by hash. */
  readonly #confirmed = new Map<string, bigint>();
  /** Those of them that were confirmed by the stage's state. */
  readonly #byState = new Set<string>();

  constructor(contract: ScoreContract, plan: PushPlan, journal: Journal | undefined) {
    this.#contract = contract;
    this.#plan = plan;
    this.#journal = journal;
    this.#writtenBefore = journal?.written.length ?? 0;
  }

  /** Records a transaction before it is handed over. */
  sent(hash: string): void {
    this.#inDoubt.add(hash);
  }

  /** Records a transaction that succeeded in a block. */
  confirmed(hash: string, { height, state }: Pick<Included | Written, "height" | "state">): void {
    this.#inDoubt.delete(hash);
    this.#confirmed.set(hash, height);
    if (state === "written") this.#byState.add(hash);
  }

  /**
   * Looks up the transactions that were confirmed by state, once, after a verification that found differences. Returns true if
   * one of them did not write: its rows are among the differences, and others wrote the same sums.
   *
   * @throws NodeError.
   */
  async recheck({ signal }: SignalOptions): Promise<boolean> {
    const hashes = [...this.#byState];
    this.#byState.clear();
    let wasWrong = false;
    for (const hash of hashes) {
      const status = await findLate(this.#contract, hash, { signal });
      if (status?.state === "included" && status.succeeded) continue;
      wasWrong = true;
      // Without receipts, every difference is written again.
      if (status?.state === "unindexed") continue;
      this.#confirmed.delete(hash);
      this.#inDoubt.add(hash);
      await this.#journal?.recordSettled(hash, status === undefined ? "dropped" : "failed");
    }
    return wasWrong;
  }

  /**
   * Returns the number of calls of others that wrote to the stage after the plan was read. Only if there seem to be any, looks up
   * the transactions that counted as dropped, since they may have arrived later, and asks again for the plan's revision, since
   * a node that was behind may have answered. Below 0 if the verified stage is older than the push's own writes; 0 for a contract
   * without revisions. Without receipts, transactions in doubt count as the push's own.
   *
   * @throws NodeError.
   */
  async countOthers({ height, revision }: Verification, { signal }: SignalOptions): Promise<bigint> {
    const { stage, height: plannedAt, chain } = this.#plan;
    if (chain.revision === undefined || revision === undefined) return 0n;
    const isNew = (at: bigint): boolean => at > plannedAt && at <= height;
    const own = BigInt(Array.from(this.#confirmed.values()).filter(isNew).length);
    const others = revision - chain.revision - own;
    if (others <= 0n) return others;
    const late = await this.#countLate(isNew, signal);
    return revision - (await this.#readRevision(stage, plannedAt, chain.revision, signal)) - own - late;
  }

  /** Counts transactions that are in a block although they are not confirmed. */
  async #countLate(isNew: (height: bigint) => boolean, signal: AbortSignal | undefined): Promise<bigint> {
    const journal = this.#journal;
    const hashes = new Set(this.#inDoubt);
    for (const hash of journal?.written.slice(this.#writtenBefore) ?? []) hashes.add(hash);
    for (const hash of journal?.dropped ?? []) hashes.add(hash);
    for (const { hash, rows } of journal?.unsettled ?? []) if (rows > 0) hashes.add(hash);
    let late = 0n;
    for (const hash of hashes) {
      if (this.#confirmed.has(hash)) continue;
      const status = await this.#contract.lookUp(hash, { signal });
      const isLate = status.state === "included" && status.succeeded && isNew(status.height);
      if (isLate || status.state === "unindexed") late += 1n;
    }
    return late;
  }

  async #readRevision(
    stage: PushPlan["stage"],
    height: bigint,
    planned: bigint,
    signal: AbortSignal | undefined,
  ): Promise<bigint> {
    try {
      const revision = (await this.#contract.getStage(stage, { height, signal }))?.revision ?? planned;
      return revision > planned ? revision : planned;
    } catch (error) {
      // The node may have deleted that state.
      if (error instanceof NodeError) return planned;
      throw error;
    }
  }
}
