import { formatTimeBetween } from "@vipscore/core/values";
import { readVipStage, type VipStage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { vipOptions, type L1Settings } from "../settings/l1Settings.ts";
import type { Settings } from "../settings/readSettings.ts";

/** Age of L1's newest block, in milliseconds, above which the endpoint counts as lagging. */
const staleAfterMs = 600_000;

/**
 * Returns L1's active stage. Warns if the endpoint lags behind or sources disagree on the VIP module's address.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError.
 */
export async function readL1Stage({ io, output, scrubber }: Context, l1: L1Settings): Promise<VipStage> {
  const { restUrl, vipAddress } = l1;
  scrubber.addUrl(restUrl.value);
  scrubber.addGiven(vipAddress?.value ?? "");
  const current = await readVipStage(vipOptions(l1, io.signal));
  const { chainId, vip, time } = current;
  if (!vip.isConfirmed) {
    output.warn(
      `sources disagree on the VIP module of ${chainId}; using ${vip.address}. Set --vip-address to use another.`,
    );
  }
  const now = new Date();
  if (now.getTime() - time.getTime() > staleAfterMs) {
    output.warn(`the newest block of ${chainId} at this endpoint is ${formatTimeBetween(time, now)} old`);
  }
  return current;
}

/** Returns {@link readL1Stage} for the L1 of the settings; undefined if they name none. */
export async function findL1Stage(context: Context, { l1 }: Settings): Promise<VipStage | undefined> {
  return l1 === undefined ? undefined : readL1Stage(context, l1);
}

/** `L1 stage 12, ends in 3 d 4 h`. */
export function l1StageText({
  stage,
  endsAt,
  time,
  isOverdue,
}: Pick<VipStage, "stage" | "endsAt" | "time" | "isOverdue">): string {
  const until = formatTimeBetween(time, endsAt);
  if (stage === 0n) {
    return `L1 before its first stage, which ${endsAt < time ? `was due to start ${until} ago` : `starts in ${until}`}`;
  }
  return `L1 stage ${stage}, ${isOverdue ? `was due to end ${until} ago` : `ends in ${until}`}`;
}

/** Returns L1's stage for `--json`; null if L1 is not known. */
export function l1StageJson(l1: VipStage | undefined): object | null {
  if (l1 === undefined) return null;
  const { chainId, stage, startsAt, endsAt, isOverdue } = l1;
  return { chainId, stage, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), isOverdue };
}
