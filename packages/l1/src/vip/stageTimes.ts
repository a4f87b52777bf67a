import type { Answer } from "@vipscore/core/wire";

/** When a stage started and ended on L1. */
export interface VipStageTimes {
  readonly startsAt: Date;
  /** When it is due to end, for the current stage. */
  readonly endsAt: Date;
}

/** Reads the times of the current stage from `ModuleStore`, or of an ended one from its entry in `stage_data`. */
export function stageTimes(data: Answer): VipStageTimes {
  const startsAt = data.field("stage_start_time").unixTime();
  const endsAt = data.field("stage_end_time").unixTime();
  if (endsAt < startsAt) data.field("stage_end_time").unreadable("after stage_start_time");
  return { startsAt, endsAt };
}
