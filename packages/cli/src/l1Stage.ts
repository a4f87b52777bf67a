import { readVipStage, type VipStage } from "@vipscore/l1";
import type { Context } from "./context.ts";
import { formatTimeBetween } from "./output/times.ts";
import type { Settings } from "./settings/readSettings.ts";

/**
 * The stage that L1 runs, read from the L1 that the settings name; undefined where they name none.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError.
 */
export async function readL1Stage({ io, scrubber }: Context, { l1 }: Settings): Promise<VipStage | undefined> {
  if (l1 === undefined) return undefined;
  scrubber.addUrl(l1.restUrl.value);
  return readVipStage({ l1RestUrl: l1.restUrl.value, vipAddress: l1.vipAddress?.value, signal: io.signal });
}

/** `L1 stage 12, ends in 3 d 4 h`. */
export function l1StageText({ stage, endsAt, time, isOverdue }: VipStage): string {
  const until = formatTimeBetween(time, endsAt);
  return `L1 stage ${stage}, ${isOverdue ? `was due to end ${until} ago` : `ends in ${until}`}`;
}

/** What `--json` tells of L1; null where it is not known. */
export function l1StageJson(l1: VipStage | undefined): object | null {
  if (l1 === undefined) return null;
  const { chainId, stage, startsAt, endsAt, isOverdue } = l1;
  return { chainId, stage, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), isOverdue };
}
