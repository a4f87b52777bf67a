import { VipError } from "../errors/vipError.ts";
import { formatTokens } from "../numbers.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { FeeQuote, ScoreContract, SignedTransaction } from "../scoreContract.ts";
import type { Outcome, Unclear, Written } from "./waitForOutcome.ts";

/** What the transactions of a push have cost or can still cost, in the smallest unit of the fee token. */
export class FeeBudget {
  readonly #max: bigint | undefined;
  /** By sequence: of several transactions with one sequence, only one can be in a block. */
  readonly #fees = new Map<bigint, bigint>();
  /** The sequences of transactions that were settled by state, by hash. */
  readonly #unread = new Map<string, bigint>();

  constructor(max: bigint | undefined) {
    this.#max = max;
  }

  /** Returns the most that a transaction with this sequence may cost; undefined without a limit. */
  leftFor(sequence: bigint): bigint | undefined {
    if (this.#max === undefined) return undefined;
    let left = this.#max;
    for (const [other, fee] of this.#fees) if (other !== sequence) left -= fee;
    return left;
  }

  signed({ sequence, fee = 0n }: SignedTransaction): void {
    this.#fees.set(sequence, fee);
  }

  /** Records what a transaction cost; without a fee in the outcome, all that it could. */
  settled(sequence: bigint, outcome: Outcome | Written | Unclear, hash = ""): void {
    if (outcome.state === "dropped") this.#fees.delete(sequence);
    else if (outcome.state === "written") this.#unread.set(hash, sequence);
    else if (outcome.state === "included" && outcome.fee !== undefined) this.#cost(sequence, outcome.fee);
  }

  /** Records a fee that a node reports. No transaction costs more than it was signed for, whatever gas the node says it used. */
  #cost(sequence: bigint, fee: bigint): void {
    const most = this.#fees.get(sequence) ?? fee;
    this.#fees.set(sequence, fee < most ? fee : most);
  }

  /**
   * Reads what one of the transactions that were settled by state has cost, when what they could cost leaves too little. Returns
   * false if none is left to read, or what they signed is what they cost.
   */
  async readOne(contract: Pick<ScoreContract, "lookUp">, { signal }: SignalOptions): Promise<boolean> {
    const [[hash, sequence] = ["", 0n]] = this.#unread;
    if (!this.#unread.delete(hash)) return false;
    const status = await contract.lookUp(hash, { signal });
    if (status.state !== "included") return true;
    if (status.fee === undefined) this.#unread.clear();
    else this.#cost(sequence, status.fee);
    return status.fee !== undefined;
  }
}

/**
 * Refuses a fee above a limit.
 *
 * @param what What costs the fee, for the message: `the next transaction`.
 * @throws VipError `FEE_LIMIT`.
 */
export function requireFee(what: string, fee: bigint, maxFee: bigint | undefined, token: FeeQuote["token"]): void {
  if (maxFee === undefined || fee <= maxFee) return;
  const [cost, left] = [formatTokens(fee, token, "up"), formatTokens(maxFee > 0n ? maxFee : 0n, token, "down")];
  throw new VipError(`${what} costs up to ${cost}, which is above the maximum fee: ${left} is left of it`, {
    code: "FEE_LIMIT",
    metaMessages: [
      { code: "fee-limit", text: "Push again to continue where it stopped, at the price that its plan then shows." },
    ],
  });
}

export function isFeeLimit(error: unknown): error is VipError {
  return error instanceof VipError && error.code === "FEE_LIMIT";
}
