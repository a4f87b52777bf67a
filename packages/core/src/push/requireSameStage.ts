import { CheckError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { readUntil } from "../time/patience.ts";
import type { Verification } from "./verification.ts";
import { verifyScores } from "./verifyScores.ts";

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

/** Differences that the error names. */
const maxNamed = 5;

/**
 * Requires that a second endpoint shows the same stage at the same height: every score, total, number of accounts, revision, and
 * whether it is finalized. One endpoint can invent a consistent stage; two of different operators rarely invent the same. Waits
 * ten seconds for an endpoint that is behind.
 *
 * @param second - The contract, read through the second endpoint.
 * @param shown - What the first one showed.
 * @param table - The scores that the first one showed.
 * @throws CheckError `ENDPOINTS_DIFFER`; NodeError, `NODE_BEHIND` if the second does not know the height.
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
  throw new CheckError(`two endpoints show different states of stage ${stage} at height ${height}`, {
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
    return differences(shown, await verifyScores(second, shown.stage, table, { height: shown.height, signal }));
  } catch (error) {
    if (!(error instanceof CheckError) || error.code !== "STAGE_NOT_FOUND") throw error;
    return [error.shortMessage];
  }
}

function differences(first: ShownStage, second: Verification): readonly string[] {
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
