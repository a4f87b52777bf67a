import type { BroadcastError } from "../errors/vipError.ts";
import type { ContractCall, PricedRow, ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { isFeeLimit, type FeeBudget } from "./feeBudget.ts";
import type { InFlightLimit } from "./inFlightLimit.ts";
import type { Journal } from "./journal.ts";
import type { NextBatch, RowsGas } from "./nextBatch.ts";
import type { OwnWrites } from "./ownWrites.ts";
import type { PushPlan } from "./planPush.ts";
import { submitAll, type WaitOptions } from "./waitForOutcome.ts";

export interface SigningContext extends WaitOptions {
  readonly contract: ScoreContract;
  readonly plan: PushPlan;
  readonly inFlightLimit: InFlightLimit;
  readonly budget: FeeBudget;
  readonly journal: Journal | undefined;
  readonly own: OwnWrites;
}

/** Most bytes of transactions in one request: twice as many in hex, and CometBFT and many gateways take 1 MB. */
const maxBytes = 500_000;

export type BatchCall = ContractCall & { kind: "updateScores"; rows: readonly PricedRow[]; packed: boolean };

export interface SentBatch {
  readonly transaction: SignedTransaction;
  readonly call: BatchCall;
  readonly rowsGas: RowsGas;
  /** Why the node refused it, although it took a later one, which now waits behind a gap. */
  readonly refusal?: BroadcastError | undefined;
}

interface SentTogether {
  /** The batches up to the last one that the node took. */
  readonly taken: readonly SentBatch[];
  /** The first of those after them, if its refusal is a setback. */
  readonly refused: { readonly call: BatchCall; readonly error: BroadcastError } | undefined;
  /** True if nothing was sent: the first batch costs more than is left of the maximum fee. */
  readonly isEmpty: boolean;
}

/** Signs batches with successive sequences from `sequence` on, and hands the node as many as one request may have. */
export async function sendTogether(
  batches: readonly NextBatch[],
  sequence: bigint,
  context: SigningContext,
): Promise<SentTogether> {
  const { contract, journal, inFlightLimit, budget, signal } = context;
  const signed = await signAll(batches, sequence, context);
  if (signed.length === 0) return { taken: [], refused: undefined, isEmpty: true };
  const sent = signed.map(({ transaction, call }) => ({ transaction, rows: call.rows.length }));
  const { refusals, wasTaken } = await submitAll(contract, sent, { journal, signal });
  if (!wasTaken) inFlightLimit.tookNone(signed.length);
  const count = refusals.lastIndexOf(undefined) + 1;
  const taken = signed.slice(0, count).map(({ transaction, call, rowsGas }, at): SentBatch => {
    return { transaction, call, rowsGas, refusal: refusals[at] };
  });
  for (const { transaction } of signed.slice(count)) budget.settled(transaction.sequence, { state: "dropped" });
  const [first] = signed.slice(count);
  const error = refusals[count];
  if (first === undefined || error === undefined) {
    inFlightLimit.tookAll(count);
    return { taken, refused: undefined, isEmpty: false };
  }
  inFlightLimit.oneAtATime();
  // Alone, it is signed again at another price or in another form.
  const isSetback = error.refusal !== "fee" && error.refusal !== "resign";
  return { taken, refused: isSetback ? { call: first.call, error } : undefined, isEmpty: false };
}

async function signAll(
  batches: readonly NextBatch[],
  sequence: bigint,
  { contract, plan, inFlightLimit, budget, own, signal }: SigningContext,
): Promise<readonly SentBatch[]> {
  const signed: SentBatch[] = [];
  let bytes = 0;
  let signedRows = 0;
  let next = sequence;
  for (const { rows, packed, rowsGas, gas } of batches) {
    if (bytes * (signedRows + rows.length) > maxBytes * signedRows) break;
    // The node may refuse one as too large, which must not leave others behind a gap.
    if ((signed.at(-1)?.call.rows.length ?? 0) > inFlightLimit.rowsTaken) break;
    const call: BatchCall = { kind: "updateScores", stage: plan.stage, rows, packed };
    try {
      const options = { sequence: next, gas, maxFee: budget.leftFor(next), signal };
      const transaction = await contract.sign(call, options);
      budget.signed(transaction);
      own.sent(transaction.hash);
      signed.push({ transaction, call, rowsGas });
      bytes += transaction.bytes.length;
      signedRows += rows.length;
      next += 1n;
    } catch (error) {
      if (isFeeLimit(error)) break;
      throw error;
    }
  }
  return signed;
}
