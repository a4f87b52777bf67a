import type { ReadOptions, Stage, StageInfo } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { encodeU64 } from "./bcs.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { readView } from "./readView.ts";

/** Reads a stage with its revision in one call, from the view `get_stage` of our module; undefined if it was never created. */
export function readStageInfo(
  reader: ModuleReader,
  stage: Stage,
  options: ReadOptions,
): Promise<StageInfo | undefined> {
  const read = (value: Answer): StageInfo | undefined => {
    if (!value.field("exists").boolean()) return undefined;
    return {
      stage,
      total: value.field("total_score").u64(),
      isFinalized: value.field("is_finalized").boolean(),
      count: value.field("score_count").u64(),
      revision: value.field("revision").u64(),
    };
  };
  return readView(reader, { name: "get_stage", args: [encodeU64(stage)] }, read, options);
}
