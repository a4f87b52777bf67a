import type { SignalOptions } from "../readOptions.ts";
import type { PricedRow, ScoreContract, StageInfo } from "../scoreContract.ts";
import type { PushPlan } from "./planPush.ts";
import type { Written } from "./waitForOutcome.ts";

/** What rows change in their stage. */
export interface Change {
  readonly total: bigint;
  readonly count: bigint;
}

export interface PendingChange {
  readonly sequence: bigint;
  readonly change: Change;
}

/** Returns what the rows change in a stage whose scores are as planned. */
export function changeOf(rows: readonly PricedRow[]): Change {
  let total = 0n;
  let count = 0n;
  for (const { score, current } of rows) {
    total += score - (current ?? 0n);
    if (current === undefined) count += 1n;
  }
  return { total, count };
}

/**
 * Settles transactions by state instead of their receipts, which repeat every row: reads the account's sequence and the stage at
 * one height. If the stage is what the plan's becomes by exactly the transactions whose sequences are used, all of them
 * succeeded. One read settles all of them.
 *
 * Each call that writes raises the revision, so a failed transaction and a write of others show, unless the others wrote the same
 * sums: the verification of every row finds that. Without revisions, a total decides only if a failed transaction would change it,
 * and only for the first plan: the state that a repair starts from may be an older one, whose rows are written already.
 */
export class StageProgress {
  readonly #contract: ScoreContract;
  readonly #plan: PushPlan;
  readonly #isRepair: boolean;
  /** The sums of the confirmed transactions. */
  #total = 0n;
  #count = 0n;
  #confirmed = 0n;
  #seen: { readonly height: bigint; readonly sequence: bigint; readonly info: StageInfo | undefined } | undefined;

  /** @param options - `isRepair`: the plan follows a verification that found differences. */
  constructor(contract: ScoreContract, plan: PushPlan, { isRepair }: { readonly isRepair: boolean }) {
    this.#contract = contract;
    this.#plan = plan;
    this.#isRepair = isRepair;
  }

  confirmed({ total, count }: Change): void {
    this.#total += total;
    this.#count += count;
    this.#confirmed += 1n;
  }

  /** True if what was read already shows that a transaction's rows are written. */
  isWritten(sequence: bigint, inFlight: readonly PendingChange[]): boolean {
    return typeof this.#judge(sequence, inFlight) === "object";
  }

  /**
   * Returns what state shows of a transaction: it waits while its sequence is not used; `unclear` if its receipt has to decide.
   * `inFlight` are all transactions of the plan that are sent and not settled.
   */
  async look(
    sequence: bigint,
    inFlight: readonly PendingChange[],
    { signal }: SignalOptions,
  ): Promise<Written | "waits" | "unclear"> {
    const known = this.#judge(sequence, inFlight);
    if (typeof known === "object") return known;
    const height = await this.#contract.getHeight({ signal });
    if (height !== this.#seen?.height) {
      const [next, info] = await Promise.all([
        this.#contract.getSequence({ height, signal }),
        this.#contract.getStage(this.#plan.stage, { height, signal }),
      ]);
      this.#seen = { height, sequence: next, info };
    }
    return this.#judge(sequence, inFlight);
  }

  #judge(sequence: bigint, inFlight: readonly PendingChange[]): Written | "waits" | "unclear" {
    const seen = this.#seen;
    if (seen === undefined || sequence >= seen.sequence) return "waits";
    const used = inFlight.filter((each) => each.sequence < seen.sequence);
    return this.#isExplainedBy(used, seen.info) ? { state: "written", height: seen.height } : "unclear";
  }

  /** True if the stage is the plan's after the confirmed transactions and these. */
  #isExplainedBy(used: readonly PendingChange[], info: StageInfo | undefined): boolean {
    const { chain } = this.#plan;
    const total = used.reduce((sum, { change }) => sum + change.total, chain.total + this.#total);
    if (info?.total !== total) return false;
    const count = used.reduce((sum, { change }) => sum + change.count, BigInt(chain.accounts) + this.#count);
    if (info.count !== undefined && info.count !== count) return false;
    if (chain.revision !== undefined) return info.revision === chain.revision + this.#confirmed + BigInt(used.length);
    return !this.#isRepair && isTelling(used);
  }
}

/** Most sums of parts that are compared: those of 12 transactions. */
const maxSums = 4_096;

/** True if the total would differ if any of the transactions had failed: none of their parts has the sum 0. */
function isTelling(used: readonly PendingChange[]): boolean {
  const totals = used.map(({ change }) => change.total);
  if (totals.every((total) => total > 0n) || totals.every((total) => total < 0n)) return true;
  const sums = new Set<bigint>();
  for (const total of totals) {
    for (const sum of [0n, ...sums]) sums.add(sum + total);
    if (sums.has(0n) || sums.size > maxSums) return false;
  }
  return true;
}
