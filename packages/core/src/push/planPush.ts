import { u64Max, type Score } from "../score.ts";
import type { PricedRow, ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreRow, ScoreTable } from "../table/scoreTable.ts";
import { checkNewest } from "./checkNewest.ts";
import { checkMember, checkOpen } from "./checkWritable.ts";
import { GasCalibration } from "./gasCalibration.ts";
import type { Journal } from "./journal.ts";
import type { PushPlan } from "./pushPlan.ts";
import { readStage, type StageState } from "./readStage.ts";
import { settleJournal } from "./settleJournal.ts";
import { takeBatches } from "./takeBatch.ts";
import type { WaitOptions } from "./waitForOutcome.ts";

export interface PlanPushOptions extends WaitOptions {
  /** Set accounts that the table does not name to 0. */
  readonly prune?: boolean;
  /** The journal of earlier runs: what they left under way is settled before the chain is read. */
  readonly journal?: Journal;
}

interface RowToWrite extends ScoreRow {
  readonly current: Score | undefined;
}

/**
 * Reads what the stage holds at one height and plans the difference to the table. Sends nothing.
 *
 * @throws CheckError `STAGE_NOT_FOUND`, `STAGE_FINALIZED`, `PERMISSION_DENIED`, `PENDING_TRANSACTIONS`; NodeError.
 * @example
 * const plan = await planPush(contract, stage(12n), table);
 */
export async function planPush(
  contract: ScoreContract,
  stage: Stage,
  table: ScoreTable,
  options: PlanPushOptions = {},
): Promise<PushPlan> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  if (options.journal !== undefined) await settleJournal(contract, options.journal, options);
  const check = async (height: bigint): Promise<StageState> => {
    const info = await contract.getStage(stage, { height, ...signal });
    if (info !== undefined) checkOpen(info);
    if (contract.signer !== undefined) await checkMember(contract, { height, ...signal });
    return readStage(contract, stage, { height, table, ...signal });
  };
  return planFrom(contract, await checkNewest(contract, check, signal), table, options);
}

/** Plans the difference between what a stage holds and a table. */
export async function planFrom(
  contract: ScoreContract,
  state: StageState,
  table: ScoreTable,
  options: Pick<PlanPushOptions, "prune" | "signal">,
): Promise<PushPlan> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const { stage } = state.info;
  const prune = options.prune ?? false;
  const { toWrite, counts } = difference(state, table, prune);
  const rows = await priceInSafeOrder(contract, stage, state, toWrite, signal);
  const batches = takeBatches(rows, await contract.getLimits(signal), new GasCalibration());
  const gas = batches.reduce((sum, batch) => sum + batch.gas, 0n);
  const fees = contract.signer === undefined ? undefined : await contract.getFees(signal);
  const price = fees === undefined ? undefined : ceilDivide(gas * fees.gasPrice.amount, fees.gasPrice.per);
  const chain = { total: state.info.total, accounts: state.scores.size };
  const { height } = state;
  return { stage, table, prune, height, chain, counts, rows, batches, gas, price, fees };
}

function difference(state: StageState, table: ScoreTable, prune: boolean) {
  const toWrite: RowToWrite[] = [];
  const counts = { add: 0, change: 0, unchanged: 0, toZero: 0, extra: 0 };
  for (const { account, score } of table) {
    const current = state.scores.get(account);
    // An absent row and a row of 0 are the same to everyone who reads scores, so a 0 is not worth a transaction.
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
 * The adapter orders rows by price. Where raising some scores before lowering others would take the total above u64 on
 * the way, all that lower come first.
 */
async function priceInSafeOrder(
  contract: ScoreContract,
  stage: Stage,
  state: StageState,
  rows: readonly RowToWrite[],
  signal: { readonly signal?: AbortSignal },
): Promise<readonly PricedRow[]> {
  if (rows.length === 0) return [];
  const options = { stage, height: state.height, ...signal };
  const raise = (row: RowToWrite): bigint => row.score - (row.current ?? 0n);
  const raised = rows.reduce((sum, row) => (raise(row) > 0n ? sum + raise(row) : sum), 0n);
  if (state.info.total + raised <= u64Max) return contract.priceRows(rows, options);
  const lowering = rows.filter((row) => raise(row) < 0n);
  const raising = rows.filter((row) => raise(row) > 0n);
  return [...(await contract.priceRows(lowering, options)), ...(await contract.priceRows(raising, options))];
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
