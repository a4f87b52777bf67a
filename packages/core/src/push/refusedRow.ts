import { VipError, type Hint } from "../errors/vipError.ts";
import { group } from "../numbers.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { PricedRow, ScoreContract, SimulateOptions, Simulation } from "../scoreContract.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { patienceMs, readUntil } from "../time/patience.ts";
import { findRefusal } from "./callContract.ts";
import { simulatedRows } from "./nextBatch.ts";
import type { PushPlan } from "./planPush.ts";
import { RowRefusedError } from "./rowRefusedError.ts";
import type { BatchCall } from "./sendTogether.ts";

/**
 * Simulates the first 100 rows of a plan's first batch; does nothing for a contract without a signer.
 *
 * @returns The number of rows that the node simulated, which the contract accepts.
 * @throws RowRefusedError `ROW_REFUSED`, or with the code of our contract's error, if the contract refuses a row; NodeError.
 */
export async function checkFirstBatch(
  contract: ScoreContract,
  plan: PushPlan,
  options: SimulateOptions = {},
): Promise<number> {
  const { stage, batches, table } = plan;
  const rows = batches[0]?.rows.slice(0, simulatedRows) ?? [];
  if (rows.length === 0 || contract.signer === undefined) return 0;
  const call = { kind: "updateScores", stage, rows, packed: rows[0]?.packed === true } as const;
  const how = { ...options, table, written: 0, all: plan.rows.length, isUnsent: true };
  return (await refuseRows(contract, call, how)) ? rows.length : 0;
}

interface RefuseOptions extends SimulateOptions {
  readonly table: ScoreTable;
  /** Numbers of the push's rows, for the message. */
  readonly written: number;
  readonly all: number;
  /** The batch is not sent yet, so that only a row alone counts as refused: a call may have less gas than a transaction. */
  readonly isUnsent?: boolean;
}

/**
 * Simulates a batch, and if the contract refuses it, ends the push with the row that it refuses.
 *
 * @returns true if the contract accepts the batch; false if that is not known.
 * @throws VipError with the reason that state shows, else RowRefusedError `ROW_REFUSED` or the code of our contract's error;
 * NodeError.
 */
export async function refuseRows(
  contract: ScoreContract,
  call: BatchCall,
  { table, written, all, isUnsent = false, ...how }: RefuseOptions,
): Promise<boolean> {
  const simulate = (rows: readonly PricedRow[]) => contract.simulate({ ...call, rows }, how);
  const refused = await findRefused(simulate, call.rows, { ...how, isWhole: isUnsent });
  if (refused.state !== "refused") return refused.state === "accepted";
  if (isUnsent && refused.rows.length > 1) return false;
  const { rows, code = "ROW_REFUSED", details = "it gives no reason", isUnnamed } = refused;
  if (call.packed && (await contract.simulate({ ...call, rows, packed: false }, how)).state === "accepted") {
    throw new VipError(`the contract refuses packed rows, and takes them without: ${details.slice(0, 200)}`, {
      code: "NOT_SUPPORTED",
      details,
      metaMessages: [{ code: "no-packed", text: "Push again without the packed entry point." }],
    });
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return false;
  const row = table.rowOf(first.account);
  const where = table.file === undefined ? `row ${row} of the table` : `${table.file}:${row}`;
  const what =
    rows.length === 1
      ? `the score ${group(first.score)} of ${first.account}`
      : `${group(rows.length)} rows together, of the accounts from ${first.account} to ${last.account}`;
  const current = first.current === undefined ? "no score" : `the score ${group(first.current)}`;
  throw (
    (await findRefusal(contract, call, how)) ??
    new RowRefusedError(`the contract refuses ${what} in stage ${call.stage}: ${details.slice(0, 200)}`, {
      code,
      details,
      metaMessages: [
        ...(rows.length === 1
          ? [`${row === undefined ? "The account" : `It is ${where}; the account`} has ${current} in the stage.`]
          : []),
        `${group(written)} of ${group(all)} rows are written.`,
        ...(isUnnamed === true ? [nameArtifact] : []),
        "Correct the row or the contract, and push again.",
      ],
      refusal: {
        rows: rows.map(({ account, score, current: held }) => ({
          row: table.rowOf(account),
          account,
          score,
          current: held,
        })),
        reason: refused.details,
        rowsWritten: written,
        rowsToWrite: all,
      },
    })
  );
}

const nameArtifact: Hint = {
  code: "name-artifact",
  text: "Pass the errors of the contract's artifact to have it named.",
};

/** A part of a batch that the contract refuses, and why. */
type Refused = Extract<Simulation, { state: "refused" }> & { readonly rows: readonly PricedRow[] };

type Simulate = (rows: readonly PricedRow[]) => Promise<Simulation>;

/** Simulates until the answer is that of a node which is not behind, or a refusal has lasted for as long as nodes lag behind each other. */
export function lastingAnswer(
  simulate: () => Promise<Simulation>,
  { signal, forMs = patienceMs.lag }: SignalOptions & { readonly forMs?: number } = {},
): Promise<Simulation> {
  const isFinal = (answer: Simulation): boolean =>
    answer.state === "accepted" || (answer.state === "unknown" && answer.isBehind !== true);
  return readUntil(simulate, isFinal, { signal, forMs });
}

/**
 * Returns the part of a batch that the contract refuses, one row if halving leads to one. A refusal counts only if it lasts.
 *
 * @param isWhole - Asks once for all rows. Otherwise for parts as small as the node simulates.
 */
async function findRefused(
  simulate: Simulate,
  rows: readonly PricedRow[],
  { isWhole, ...options }: SignalOptions & { readonly isWhole: boolean },
): Promise<Refused | Exclude<Simulation, { state: "refused" }>> {
  let size = rows.length;
  for (let start = 0; start < rows.length;) {
    const part = rows.slice(start, start + size);
    const answer = await lastingAnswer(() => simulate(part), options);
    if (answer.state === "refused") return narrow(simulate, { ...answer, rows: part });
    if (answer.state === "accepted") start += part.length;
    else if (isWhole || size === 1 || answer.isBehind === true) return answer;
    else size = Math.ceil(part.length / 2);
  }
  return { state: "accepted" };
}

/** Halves a refused part. Simulates only first halves: what they accept is refused because of the others. */
async function narrow(simulate: Simulate, whole: Refused): Promise<Refused> {
  let refused = whole;
  let { rows } = whole;
  const isRefused = async (part: readonly PricedRow[]): Promise<boolean> => {
    const answer = await simulate(part);
    if (answer.state === "refused") refused = { ...answer, rows: part };
    return answer.state === "refused";
  };
  while (rows.length > 1) {
    const left = rows.slice(0, rows.length >> 1);
    rows = (await isRefused(left)) ? left : rows.slice(left.length);
  }
  // If the last half is accepted alone, the contract refuses rows only together.
  if (refused.rows !== rows) await isRefused(rows);
  return refused;
}
