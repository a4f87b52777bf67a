import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { digestScores } from "../table/digestScores.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { readStage } from "./readStage.ts";
import type { Difference, Verification } from "./verification.ts";
import { VerificationError } from "./verificationError.ts";

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
