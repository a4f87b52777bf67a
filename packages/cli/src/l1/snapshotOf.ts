import { CheckError, type Stage, type StageState } from "@vipscore/core";
import { buildSnapshot, type Snapshot } from "@vipscore/snapshot";

/**
 * Builds the Merkle tree of a stage as it was read.
 *
 * @throws CheckError `VERIFY_MISMATCH` if the contract's total is not the sum of its scores.
 */
export function snapshotOf(state: StageState, stage: Stage, bridgeId: bigint): Snapshot {
  requireSum(state, stage);
  return buildSnapshot({ bridgeId, stage, rows: rowsOf(state), total: state.info.total });
}

/** @throws CheckError `VERIFY_MISMATCH` if the contract's total is not the sum of its scores. */
export function requireSum({ info: { total }, scores }: StageState, stage: Stage): void {
  if (scores.total === total) return;
  throw new CheckError(`the scores of stage ${stage} add up to ${scores.total}, the contract's total is ${total}`, {
    code: "VERIFY_MISMATCH",
    metaMessages: ["Rewards are paid by score and total, so they would not add up. Check the contract."],
  });
}

/** The rows of a stage, in the order in which they were read. */
export function* rowsOf({ scores }: StageState): Generator<{ readonly account: string; readonly score: bigint }> {
  for (const [account, score] of scores) yield { account, score };
}
