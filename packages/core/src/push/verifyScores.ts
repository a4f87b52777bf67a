import type { ReadOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { digestScores, type ScoreTable } from "../table/scoreTable.ts";
import { checkNewest, newestShown } from "./checkNewest.ts";
import { readStage, type StageState } from "./readStage.ts";
import type { Difference, Verification } from "./verification.ts";
import { VerificationError } from "./verificationError.ts";

/**
 * Reads every score of the stage and its total at one height and compares them with the table. A row of score 0 and an
 * missing row are the same. Without a height, a difference counts only if the stage also has it when read a second time, at
 * the newest height that the endpoint shows.
 *
 * @throws CheckError `STAGE_NOT_FOUND`; NodeError.
 */
export async function verifyScores(
  contract: ScoreContract,
  stage: Stage,
  table: ScoreTable,
  options: ReadOptions = {},
): Promise<Verification> {
  return (await readAndVerify(contract, stage, table, options)).verification;
}

/** Like {@link verifyScores}, but also returns the stage's state. */
export async function readAndVerify(
  contract: ScoreContract,
  stage: Stage,
  table: ScoreTable,
  options: ReadOptions = {},
): Promise<{ readonly state: StageState; readonly verification: Verification }> {
  const { height: pinned, signal } = options;
  const read = async (height: bigint) => {
    const state = await readStage(contract, stage, { height, table, signal });
    return { state, verification: compareScores(state, table) };
  };
  if (pinned !== undefined) return read(pinned);
  const first = await checkNewest(contract, read, { signal });
  return first.verification.agrees ? first : read(await newestShown(contract, { signal }));
}

/** Compares a stage with a table. */
export function compareScores({ info, height, scores }: StageState, table: ScoreTable): Verification {
  const differences: Difference[] = [];
  for (const { account, score } of table) {
    const actual = scores.get(account);
    if ((actual ?? 0n) !== score) differences.push({ account, expected: score, actual });
  }
  for (const [account, actual] of scores.outside(table)) {
    if (actual !== 0n) differences.push({ account, expected: undefined, actual });
  }
  const { stage, isFinalized, revision } = info;
  const rows = scores.total;
  const total = { expected: table.total, contract: info.total, rows };
  const agrees = differences.length === 0 && info.total === rows && rows === table.total;
  const expected = table.digest();
  // Equal scores have equal digests, and computing one sorts the rows: a million take seconds and 100 MB.
  const digest = { expected, actual: differences.length === 0 ? expected : digestScores(scores) };
  return { stage, height, agrees, isFinalized, accounts: scores.size, revision, total, digest, differences };
}

/** @throws VerificationError `VERIFY_MISMATCH` unless the chain holds exactly the table. */
export function requireAgreement(verification: Verification): void {
  if (!verification.agrees) throw new VerificationError(verification);
}
