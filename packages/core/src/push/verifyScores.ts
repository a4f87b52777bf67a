import type { Account } from "../account.ts";
import { VerificationError } from "../errors/verificationError.ts";
import type { Score } from "../score.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { digestScores } from "../table/digestScores.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { readStage } from "./readStage.ts";

/** One account whose score on the chain is not the table's. */
export interface Difference {
  readonly account: Account;
  /** The table's score; undefined where the table does not name the account. */
  readonly expected: Score | undefined;
  /** The chain's score; undefined where the stage has no row for the account. */
  readonly actual: Score | undefined;
}

/** What a comparison of a table with a whole stage found, at one height. */
export interface Verification {
  readonly stage: Stage;
  readonly height: bigint;
  /** True when every score, the contract's total and the sum of its rows agree with the table. */
  readonly agrees: boolean;
  readonly isFinalized: boolean;
  /** Accounts with a row in the stage, rows of score 0 included: the count that a checked finalize expects. */
  readonly accounts: number;
  readonly total: {
    /** The table's. */
    readonly expected: bigint;
    /** What the contract says. */
    readonly contract: bigint;
    /** What the contract's rows add up to. */
    readonly rows: bigint;
  };
  /** sha256 of the canonical text of the table and of the chain's rows; equal when every score agrees. */
  readonly digest: { readonly expected: string; readonly actual: string };
  /** Every difference, in the table's order, accounts unknown to the table last. */
  readonly differences: readonly Difference[];
}

/**
 * Reads every score of the stage and its total at one height and compares them with the table. A row of score 0 and an
 * absent row are the same.
 *
 * @throws CheckError `STAGE_NOT_FOUND`; NodeError.
 */
export async function verifyScores(
  contract: ScoreContract,
  stage: Stage,
  table: ScoreTable,
  options: { readonly height?: bigint; readonly signal?: AbortSignal } = {},
): Promise<Verification> {
  const { info, height, scores } = await readStage(contract, stage, options);
  const differences: Difference[] = [];
  for (const { account, score } of table) {
    const actual = scores.get(account);
    if ((actual ?? 0n) !== score) differences.push({ account, expected: score, actual });
  }
  let rows = 0n;
  for (const [account, actual] of scores) {
    rows += actual;
    if (actual !== 0n && !table.has(account)) differences.push({ account, expected: undefined, actual });
  }
  const total = { expected: table.total, contract: info.total, rows };
  const agrees = differences.length === 0 && info.total === rows && rows === table.total;
  const digest = { expected: table.digest(), actual: digestScores(scores) };
  return { stage, height, agrees, isFinalized: info.isFinalized, accounts: scores.size, total, digest, differences };
}

/** @throws VerificationError `VERIFY_MISMATCH` unless the chain holds exactly the table. */
export function requireAgreement(verification: Verification): void {
  if (!verification.agrees) throw new VerificationError(verification);
}
