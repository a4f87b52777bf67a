import { openVip, type VipOptions } from "./openVip.ts";
import { stageTimes, type VipStageTimes } from "./stageTimes.ts";
import { findEntry, keyOf, readHandle } from "./tables.ts";

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
    times: stageTimes(data),
    stages: readHandle(data.field("stage_data")),
  }));
  if (options.stage === current) return times;
  return options.stage > current ? undefined : findEntry(reader, stages, keyOf(options.stage), stageTimes);
}
