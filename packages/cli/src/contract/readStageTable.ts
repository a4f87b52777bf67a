import {
  readStage,
  ScoreTable,
  type ReadOptions,
  type ScoreContract,
  type Stage,
  type StageInfo,
  type StageState,
} from "@vipscore/core";

/** A stage and its scores, read at one height. */
export interface StageTable {
  readonly info: StageInfo;
  readonly height: bigint;
  readonly table: ScoreTable;
}

/**
 * Reads a stage as a table: what a file of its scores would hold.
 *
 * @throws CheckError `STAGE_NOT_FOUND`; NodeError.
 */
export async function readStageTable(
  contract: ScoreContract,
  stage: Stage,
  options: ReadOptions & { readonly info?: StageInfo },
): Promise<StageTable> {
  const { info, height, scores } = await readStage(contract, stage, options);
  return { info, height, table: tableOf(scores) };
}

/** Returns scores that were read as a table. */
export function tableOf(scores: StageState["scores"]): ScoreTable {
  return ScoreTable.from(Array.from(scores, ([account, score]) => ({ account, score })));
}
