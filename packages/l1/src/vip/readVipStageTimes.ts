import type { Answer } from "@vipscore/core/wire";
import { openVip, type VipOptions } from "./openVip.ts";
import { findEntry, keyOf, readHandle } from "./tables.ts";

/** When a stage started and ended on L1. */
export interface VipStageTimes {
  readonly startsAt: Date;
  /** When it is due to end, for the current stage. */
  readonly endsAt: Date;
}

/** Options of {@link readVipStageTimes}. */
export interface ReadVipStageTimesOptions extends VipOptions {
  readonly stage: bigint;
}

/**
 * Reads the times of L1's current stage or of an earlier one, at the height of the newest block. L1 keeps the times of an ended stage
 * in `stage_data` of `ModuleStore`.
 *
 * @returns undefined for a stage that L1 has not reached, or whose times it does not keep.
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readVipStageTimes(options: ReadVipStageTimesOptions): Promise<VipStageTimes | undefined> {
  const reader = await openVip(options);
  const { current, times, stages } = await reader.readModuleStore((data) => ({
    current: data.field("stage").u64(),
    times: readTimes(data),
    stages: readHandle(data.field("stage_data")),
  }));
  if (options.stage === current) return times;
  return options.stage > current ? undefined : findEntry(reader, stages, keyOf(options.stage), readTimes);
}

function readTimes(value: Answer): VipStageTimes {
  const startsAt = value.field("stage_start_time").unixTime();
  const endsAt = value.field("stage_end_time").unixTime();
  if (endsAt < startsAt) value.field("stage_end_time").unreadable("after stage_start_time");
  return { startsAt, endsAt };
}
