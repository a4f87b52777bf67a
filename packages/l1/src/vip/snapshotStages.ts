import { findEntry, keyOf, openVip, readHandle, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findVestingStore } from "./vestingStore.ts";

/** A registration of a bridge. */
export interface ReadSnapshotStagesOptions
  extends VipOptions, Pick<VipBridge, "bridgeId" | "version" | "initStage">, Partial<Pick<VipBridge, "endStage">> {}

/** The stages of a registration of which L1 has snapshots. */
export interface SnapshotStages {
  /**
   * The first stage without a snapshot, which VIP's agent has to submit next. It may still be active on L1, or ahead of it.
   */
  readonly next: bigint;
  /**
   * The newest stage with a snapshot; the one before the first stage if L1 has no snapshot. It is after {@link next} if a challenge
   * removed a snapshot: until the agent submits it again, L1 refuses each claim that includes its stage.
   */
  readonly newest: bigint;
}

/**
 * Reads of which stages of a registration L1 has snapshots, at the height of the newest block.
 *
 * `submit_snapshot` takes a stage only if the stage before has a snapshot, but a challenge removes one and leaves later ones
 * (`execute_rollup_challenge`). So this reads every stage from the last one that the operator claimed, or the first one, at most
 * the newest 100. If no stage of these has a snapshot, the agent is far behind: then it searches for the last one before them.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const { next, newest } = await readSnapshotStages({ l1RestUrl, bridgeId: 1n, version: 1n, initStage: 5n });
 */
export async function readSnapshotStages(options: ReadSnapshotStagesOptions): Promise<SnapshotStages> {
  const reader = await openVip(options);
  const store = await findVestingStore(reader, options, undefined);
  return findSnapshotStages(reader, options, store?.lastClaimedStage);
}

/** Stages that are read one by one: on mainnet, those of four years. */
const maxRead = 100n;

/** Stages that are read side by side. */
const width = 10n;

/** Finds what {@link readSnapshotStages} reads, at a given height. */
export async function findSnapshotStages(
  reader: VipReader,
  { bridgeId, version, initStage, endStage }: Omit<ReadSnapshotStagesOptions, keyof VipOptions>,
  claimed: bigint | undefined,
): Promise<SnapshotStages> {
  const { current, stages } = await reader.readModuleStore((data) => ({
    current: data.field("stage").u64(),
    stages: readHandle(data.field("stage_data")),
  }));
  const key = Buffer.concat([keyOf(bridgeId), keyOf(version)]);
  const has = async (stage: bigint): Promise<boolean> => {
    const snapshots = await findEntry(reader, stages, keyOf(stage), (data) => readHandle(data.field("snapshots")));
    const found = snapshots && (await findEntry(reader, snapshots, key, (snapshot) => snapshot.field("merkle_root")));
    return found !== undefined;
  };
  const start = claimed === undefined || claimed < initStage ? initStage : claimed;
  const end = endStage !== undefined && endStage < current ? endStage + 1n : current;
  const from = end - maxRead > start ? end - maxRead : start;
  let next: bigint | undefined;
  let newest: bigint | undefined;
  for (let at = from; at < end; at += width) {
    const left = end - at;
    const numbers = Array.from({ length: Number(left < width ? left : width) }, (_, index) => at + BigInt(index));
    for (const [index, isThere] of (await Promise.all(numbers.map(has))).entries()) {
      if (isThere) newest = numbers[index];
      else next ??= numbers[index];
    }
  }
  if (newest === undefined) {
    const first = await firstWithout(start, from, has);
    return { next: first, newest: first - 1n };
  }
  return { next: next ?? newest + 1n, newest };
}

/** Returns the first of the stages from `first` to `end` without a snapshot, where those with one come first; `end` has none. */
async function firstWithout(first: bigint, end: bigint, has: (stage: bigint) => Promise<boolean>): Promise<bigint> {
  let [low, without] = [first, end];
  while (low < without) {
    const middle = (low + without) / 2n;
    if (await has(middle)) low = middle + 1n;
    else without = middle;
  }
  return low;
}
