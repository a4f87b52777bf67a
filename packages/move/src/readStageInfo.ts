import type { ReadOptions, Stage, StageInfo } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { encodeU64 } from "./bcs.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { callView } from "./viewFunction.ts";

/**
 * Reads a stage with its revision in one call, from the view `get_stage_info` of a module of version 2.0 or later; undefined
 * if the stage was never created.
 */
export function readStageInfo(
  reader: ModuleReader,
  stage: Stage,
  options: ReadOptions,
): Promise<StageInfo | undefined> {
  const read = (value: Answer): StageInfo | undefined => {
    if (!value.field("exists").boolean()) return undefined;
    const revision = value.field("revision");
    return {
      stage,
      total: value.field("total_score").u64(),
      isFinalized: value.field("is_finalized").boolean(),
      count: value.field("score_count").u64(),
      revision: revision.value === null ? undefined : revision.u64(),
    };
  };
  return callView(reader, { name: "get_stage_info", args: [encodeU64(stage)] }, read, options);
}
