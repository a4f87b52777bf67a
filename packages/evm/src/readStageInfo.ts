import type { PinnedOptions, Stage, StageInfo } from "@vipscore/core";
import { readContract, type ContractReader } from "./readContract.ts";

/** Reads a stage of our contract in one call; undefined if it was never created. */
export async function readStageInfo(
  reader: ContractReader,
  stage: Stage,
  options: PinnedOptions,
): Promise<StageInfo | undefined> {
  const info = await readContract(reader, "getStage", [stage], options);
  if (info.stage === 0n) return undefined;
  const { totalScore: total, scoreCount: count, revision, isFinalized } = info;
  return { stage, total, isFinalized, count, revision };
}
