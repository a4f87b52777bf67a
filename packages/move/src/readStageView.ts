import type { ReadOptions, Stage, StageInfo } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import { encodeU64 } from "./bcs.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { readU64, unreadable } from "./readField.ts";
import { callView } from "./viewFunction.ts";

/**
 * Reads a stage with its revision in one answer, from the view `get_stage_info` of a module from 2.0 on; undefined where the
 * stage has not been created.
 */
export async function readStageView(
  reader: ModuleReader,
  stage: Stage,
  options: ReadOptions,
): Promise<StageInfo | undefined> {
  const source = { rest: reader.rest, path: "view get_stage_info" };
  const value = await callView(reader, "get_stage_info", [encodeU64(stage)], options);
  if (!isObject(value)) return unreadable(source, "value", value);
  const { exists, is_finalized: isFinalized, revision } = value;
  if (typeof exists !== "boolean") return unreadable(source, "exists", exists);
  if (!exists) return undefined;
  if (typeof isFinalized !== "boolean") return unreadable(source, "is_finalized", isFinalized);
  return {
    stage,
    total: readU64(source, value, "total_score"),
    isFinalized,
    count: readU64(source, value, "score_count"),
    revision: revision === null ? undefined : readU64(source, value, "revision"),
  };
}
