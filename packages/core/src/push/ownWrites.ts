import { NodeError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { askAll } from "./checkNewest.ts";
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
  /**
   * The signer's sequence in a state with these calls, at least. Heights do not bound a reading: a node that is behind may answer
   * for any height. Nor does the revision alone, which others raise too.
   */
  #sequence = 0n;
  /** The revision of such a state, at least; means nothing for a contract without revisions. */
  #revision: bigint;

  constructor(contract: ScoreContract, plan: PushPlan, journal: Journal | undefined) {
    this.#contract = contract;
    this.#plan = plan;
    this.#journal = journal;
    this.#revision = plan.chain.revision ?? 0n;
    this.#writtenBefore = journal?.written.length ?? 0;
  }

  /** Records a transaction before it is handed over. */
  sent(hash: string): void {
    this.#inDoubt.add(hash);
  }

  /** Records a transaction that succeeded in a block. */
  confirmed(
    { hash, sequence }: Pick<SignedTransaction, "hash" | "sequence">,
    { height, state }: Pick<Included | Written, "height" | "state">,
  ): void {
    this.#inDoubt.delete(hash);
    this.#confirmed.set(hash, height);
    if (state === "written") this.#byState.add(hash);
    this.#sequence = sequence + 1n;
    if (height > this.#plan.height) this.#revision += 1n;
  }

  /**
   * Asks every node behind the endpoint what it shows at a height. A node that is behind may answer from an older state without saying
   * so, and the rows of that state may be those of the table.
   *
   * @returns The stage's revision, at least. `isOld` if a node shows an older state, so that no reading at this height counts.
   */
  async askNodes(height: bigint, { signal }: SignalOptions) {
    const at = { height, signal };
    const shown = await askAll(async () => {
      const asked = [this.#contract.getStage(this.#plan.stage, at), this.#contract.getSequence(at)] as const;
      const [info, sequence] = await Promise.all(asked);
      return { revision: info?.revision ?? this.#revision, sequence };
    });
    const least = shown.reduce((most, { revision }) => (revision > most ? revision : most), this.#revision);
    const isOld = shown.some(({ revision, sequence }) => revision < least || sequence < this.#sequence);
    if (!isOld) this.#revision = least;
    return { least, isOld };
  }

  /**
   * Looks up the transactions that were confirmed by state, once, after a verification that found differences. Returns true if
   * one of them did not write: its rows are among the differences, and others wrote the same sums.
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
      this.#revision -= 1n;
      this.#inDoubt.add(hash);
      await this.#journal?.recordSettled(hash, status === undefined ? "dropped" : "failed");
    }
    return wasWrong;
  }

  /**
   * Returns the number of calls that wrote to the stage after the plan was read and are not known as the push's own; 0 for a
   * contract without revisions. Only if there seem to be any, looks up the transactions that counted as dropped, since they may have
   * arrived later, and asks again for the plan's revision, since a node that was behind may have answered. Without receipts,
   * transactions in doubt count as the push's own, and so does a call of others with the same rows as a confirmed one that failed.
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
