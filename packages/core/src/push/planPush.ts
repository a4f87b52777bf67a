import type { SignalOptions } from "../readOptions.ts";
import type { EntryPointOptions, FeeQuote, GasQuote, PricedRow, RowToWrite, ScoreContract } from "../scoreContract.ts";
import { u64Max, type Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { checkMember, checkOpen, notSupported } from "./callContract.ts";
import { checkNewest, readWritten } from "./checkNewest.ts";
import type { Journal } from "./journal.ts";
import { GasCalibrations, simulatedRows, takeBatches, type Batch } from "./nextBatch.ts";
import { readStage, type StageState } from "./readStage.ts";
import { settleJournal } from "./settleJournal.ts";
import type { WaitOptions } from "./waitForOutcome.ts";

export interface PlanPushOptions extends WaitOptions {
  /** Set accounts missing from the table to 0. */
  readonly prune?: boolean;
  /**
   * Write through the cheaper entry point, with one event per batch: programs that follow the published event of each score do
   * not see these scores. Default: false.
   */
  readonly packed?: boolean;
  /** Also compute the cost of the other entry point. Default: false. */
  readonly compareEntryPoints?: boolean;
  /**
   * Most that all transactions of the push together may cost, in the fee token's smallest unit; it pauses before it would cost
   * more. Default: three times the plan's price.
   */
  readonly maxFee?: bigint | undefined;
  /** The journal of earlier runs: their pending transactions are settled before the chain is read. */
  readonly journal?: Journal;
  /**
   * Send what an earlier run of the same table signed and may not have sent, as the same bytes; else they are waited for.
   * Default: false.
   */
  readonly resend?: boolean;
}

/**
 * Reads the stage at one height and plans the difference from the table. Sends nothing, unless it may `resend`.
 *
 * @throws VipError `NOT_SUPPORTED` for `packed` on a reference contract, `STAGE_NOT_FOUND`, `STAGE_FINALIZED`,
 * `PERMISSION_DENIED`, `PENDING_TRANSACTIONS`; NodeError.
 * @example
 * const plan = await planPush(contract, stage(12n), table);
 */
export async function planPush(
  contract: ScoreContract,
  stage: Stage,
  table: ScoreTable,
  options: PlanPushOptions = {},
): Promise<PushPlan> {
  const { packed, prune = false, journal, resend, signal } = options;
  if (packed === true) requirePacked(contract);
  const run = resend === true ? { digest: table.digest(), prune } : undefined;
  if (journal !== undefined) await settleJournal(contract, journal, { ...options, resend: run });
  const check = async (height: bigint): Promise<StageState> => {
    const info = await contract.getStage(stage, { height, signal });
    if (info !== undefined) checkOpen(info);
    if (contract.signer !== undefined) await checkMember(contract, { height, signal });
    return readStage(contract, stage, { height, table, info, signal });
  };
  const read = () => checkNewest(contract, check, { signal });
  const state = await readWritten(contract, read, ({ info, height }) => ({ ...info, height }), { journal, signal });
  return planFrom(contract, state, table, options);
}

export async function planFrom(
  contract: ScoreContract,
  state: StageState,
  table: ScoreTable,
  options: Pick<PlanPushOptions, "prune" | "packed" | "compareEntryPoints" | "maxFee" | "signal">,
): Promise<PushPlan> {
  const { prune = false, packed = false, compareEntryPoints = false, signal } = options;
  const { toWrite, counts } = difference(state, table, prune);
  const { rows, batches } = await takeThrough(contract, state, toWrite, { packed, signal });
  const fees = contract.signer === undefined ? undefined : await contract.getFees({ signal });
  const quote = fees ?? (await contract.getGasPrice({ signal }));
  const { gas, price } = costOf(batches, packed, quote);
  const { maxFee = price * priceRise } = options;
  const compares = compareEntryPoints && rows.length > 0 && contract.features.packed;
  const other = compares ? await takeThrough(contract, state, rows, { packed: !packed, signal }) : undefined;
  const { info, height, scores } = state;
  const { stage } = info;
  // A contract with a hook for each row may refuse packed rows.
  const first = packed ? undefined : other?.batches.find(({ rows: [row] }) => row?.packed);
  const call = { kind: "updateScores", stage, rows: first?.rows.slice(0, simulatedRows) ?? [], packed: true } as const;
  const isRefused = first && fees && (await contract.simulate(call, { signal })).state === "refused";
  const otherEntryPoint = isRefused === true ? undefined : other && costOf(other.batches, !packed, quote);
  const chain = { total: info.total, accounts: scores.size, revision: info.revision };
  return {
    stage,
    table,
    prune,
    packed,
    height,
    chain,
    counts,
    rows,
    batches,
    gas,
    price,
    maxFee,
    otherEntryPoint,
    fees,
    quote,
  };
}

/** @throws VipError `NOT_SUPPORTED` for a contract without a packed entry point: a reference contract. */
export function requirePacked(contract: ScoreContract): void {
  if (!contract.features.packed) {
    throw notSupported(contract, "no packed entry point", {
      code: "no-packed",
      text: "Push without the packed calls.",
    });
  }
}

async function takeThrough(
  contract: ScoreContract,
  state: StageState,
  toWrite: readonly RowToWrite[],
  options: EntryPointOptions & SignalOptions,
): Promise<{ readonly rows: readonly PricedRow[]; readonly batches: readonly Batch[] }> {
  const rows = await priceInSafeOrder(contract, state, toWrite, options);
  return { rows, batches: takeBatches(rows, await contract.getLimits(options), new GasCalibrations()) };
}

function costOf(batches: readonly Batch[], packed: boolean, { gasPrice }: GasQuote): EntryPointCost {
  const gas = batches.reduce((sum, batch) => sum + batch.gas, 0n);
  return { packed, batches: batches.length, gas, price: ceilDivide(gas * gasPrice.amount, gasPrice.per) };
}

function difference(state: StageState, table: ScoreTable, prune: boolean) {
  const toWrite: RowToWrite[] = [];
  const counts = { add: 0, change: 0, unchanged: 0, toZero: 0, extra: 0 };
  for (const { account, score } of table) {
    const current = state.scores.get(account);
    // Readers of scores treat a missing row and a row of 0 the same, so a 0 is not worth a transaction.
    if ((current ?? 0n) === score) counts.unchanged += 1;
    else {
      if (current === undefined) counts.add += 1;
      else counts.change += 1;
      toWrite.push({ account, score, current });
    }
  }
  for (const [account, current] of state.scores.outside(table)) {
    if (current === 0n) continue;
    if (prune) {
      counts.toZero += 1;
      toWrite.push({ account, score: 0n, current });
    } else counts.extra += 1;
  }
  return { toWrite, counts };
}

/**
 * Returns the rows in the adapter's order, by price. If raising some scores before lowering others would temporarily take the
 * total above u64, all rows that lower a score come first.
 */
async function priceInSafeOrder(
  contract: ScoreContract,
  state: StageState,
  rows: readonly RowToWrite[],
  how: EntryPointOptions & SignalOptions,
): Promise<readonly PricedRow[]> {
  if (rows.length === 0) return [];
  const { info, height, scores } = state;
  const options = { stage: info.stage, height, scores, ...how };
  const raise = (row: RowToWrite): bigint => row.score - (row.current ?? 0n);
  const raised = rows.reduce((sum, row) => (raise(row) > 0n ? sum + raise(row) : sum), 0n);
  if (info.total + raised <= u64Max) return contract.priceRows(rows, options);
  const lowering = rows.filter((row) => raise(row) < 0n);
  const raising = rows.filter((row) => raise(row) > 0n);
  return [...(await contract.priceRows(lowering, options)), ...(await contract.priceRows(raising, options))];
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/** How many times the plan's price a push may cost by default: enough for a price that moves, too little for one that jumps. */
const priceRise = 3n;

/** The cost of writing a plan's rows through an entry point. */
export interface EntryPointCost {
  /** True for the packed entry point, with one event per batch. */
  readonly packed: boolean;
  /** Number of transactions. */
  readonly batches: number;
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit. */
  readonly price: bigint;
}

/** Numbers of accounts, by how the rows of the table relate to the stage. */
export interface PlanCounts {
  /** Accounts that the stage does not have yet. */
  readonly add: number;
  /** Accounts whose score differs. */
  readonly change: number;
  /** Accounts whose score is already correct. */
  readonly unchanged: number;
  /** Accounts missing from the table that a prune sets to 0. */
  readonly toZero: number;
  /** Accounts with a score that are missing from the table and stay unchanged: without prune, push refuses them. */
  readonly extra: number;
}

/** The difference between a score table and a stage on the chain, and how to write it. */
export interface PushPlan {
  readonly stage: Stage;
  readonly table: ScoreTable;
  readonly prune: boolean;
  /** True if rows are written through the packed entry point, as far as it accepts them. */
  readonly packed: boolean;
  /** The height at which the chain was read. */
  readonly height: bigint;
  /** The stage at that height: the contract's total, the accounts with a row, the revision if the contract has one. */
  readonly chain: { readonly total: bigint; readonly accounts: number; readonly revision: bigint | undefined };
  readonly counts: PlanCounts;
  /** Rows to write, in this order. */
  readonly rows: readonly PricedRow[];
  /** The batches as currently planned; receipts may change their size during the push. */
  readonly batches: readonly Batch[];
  /** Upper bound of the gas of all batches. */
  readonly gas: bigint;
  /** Price of that gas, in the fee token's smallest unit. */
  readonly price: bigint;
  /** Most that the push may cost, in the same unit. */
  readonly maxFee: bigint;
  /** The cost of the other entry point; only with `compareEntryPoints`, and if the contract has two. */
  readonly otherEntryPoint: EntryPointCost | undefined;
  /** Undefined without a signer. */
  readonly fees: FeeQuote | undefined;
  /** The gas price of {@link price}, and its token. */
  readonly quote: GasQuote;
}
