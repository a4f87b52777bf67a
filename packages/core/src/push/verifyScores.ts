import { VipError } from "../errors/vipError.ts";
import type { ReadOptions, SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { digestScores, type ScoreTable } from "../table/scoreTable.ts";
import { readUntil } from "../time/patience.ts";
import { checkNewest, newestShown } from "./checkNewest.ts";
import type { PushPlan } from "./planPush.ts";
import { readStage, type StageState } from "./readStage.ts";
import { VerificationError, type Difference, type Verification } from "./verificationError.ts";

/**
 * Reads every score of the stage and its total at one height and compares them with the table. A row of score 0 and an
 * missing row are the same. Without a height, a difference counts only if the stage also has it when read a second time, at
 * the newest height that the endpoint shows.
 *
 * @throws VipError `STAGE_NOT_FOUND`; NodeError.
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

/**
 * Returns a verification from the plan's own reading of the stage, if the stage holds exactly the table; else undefined. A
 * plan compares every row, so if there is nothing to write and nothing extra, only the contract's total is left to check.
 */
export function agreementOf({ stage, table, counts, rows, chain, height }: PushPlan): Verification | undefined {
  if (rows.length > 0 || counts.extra > 0 || chain.total !== table.total) return undefined;
  const digest = table.digest();
  return {
    stage,
    height,
    agrees: true,
    isFinalized: false,
    accounts: chain.accounts,
    revision: chain.revision,
    total: { expected: table.total, contract: chain.total, rows: table.total },
    digest: { expected: digest, actual: digest },
    differences: [],
  };
}

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

/** A stage as one endpoint showed it at a height. */
export interface ShownStage {
  readonly stage: Stage;
  readonly height: bigint;
  readonly isFinalized: boolean;
  readonly total: Pick<Verification["total"], "contract">;
  /** Accounts with a row, including rows of score 0. */
  readonly accounts: number;
  /** Undefined if the contract has no revisions. */
  readonly revision: bigint | undefined;
}

const maxNamed = 5;

/**
 * Requires that a second endpoint shows the same stage at the same height: every score, total, number of accounts, revision, and
 * whether it is finalized. One endpoint can invent a consistent stage; two of different operators rarely invent the same. Waits
 * `patienceMs.behind` for an endpoint that is behind.
 *
 * @param second - The contract, read through the second endpoint.
 * @param shown - What the first one showed.
 * @param table - The scores that the first one showed.
 * @throws VipError `ENDPOINTS_DIFFER`; NodeError, `NODE_BEHIND` if the second does not know the height.
 */
export async function requireSameStage(
  second: ScoreContract,
  shown: ShownStage,
  table: ScoreTable,
  { signal }: SignalOptions,
): Promise<void> {
  const read = () => readSecond(second, shown, table, { signal });
  const differing = await readUntil(read, (lines) => lines.length === 0, { signal });
  if (differing.length === 0) return;
  const { stage, height } = shown;
  throw new VipError(`two endpoints show different states of stage ${stage} at height ${height}`, {
    code: "ENDPOINTS_DIFFER",
    metaMessages: [...differing, "One of them is wrong: ask a third, or a node of your own."],
  });
}

/** Returns what differs, for people. */
async function readSecond(
  second: ScoreContract,
  shown: ShownStage,
  table: ScoreTable,
  { signal }: SignalOptions,
): Promise<readonly string[]> {
  try {
    return compareShown(shown, await verifyScores(second, shown.stage, table, { height: shown.height, signal }));
  } catch (error) {
    if (!(error instanceof VipError) || error.code !== "STAGE_NOT_FOUND") throw error;
    return [error.shortMessage];
  }
}

function compareShown(first: ShownStage, second: Verification): readonly string[] {
  const values = [
    ["total", first.total.contract, second.total.contract],
    ["accounts", first.accounts, second.accounts],
    ["revision", first.revision, second.revision],
    ["finalized", first.isFinalized, second.isFinalized],
  ] as const;
  const rows = second.differences
    .slice(0, maxNamed)
    .map(({ account, expected, actual }) => [account, expected ?? 0n, actual ?? 0n] as const);
  const left = second.differences.length - rows.length;
  return [...values.filter(([, one, other]) => one !== other), ...rows]
    .map(([name, one, other]) => `${name}: ${one ?? "none"} and ${other ?? "none"}`)
    .concat(left > 0 ? [`and ${left.toLocaleString("en-US")} more accounts`] : []);
}
