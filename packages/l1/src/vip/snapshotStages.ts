import { inParallel } from "@vipscore/core/wire";
import { openVip, readHandle, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findSnapshot, type VipSnapshot } from "./readVipSnapshot.ts";

/** A registration of a bridge. */
export interface ReadSnapshotStagesOptions
  extends VipOptions, Pick<VipBridge, "bridgeId" | "version" | "initStage">, Partial<Pick<VipBridge, "endStage">> {}

/** The stages of a registration of which L1 has snapshots. */
export interface SnapshotStages {
  /**
   * The first stage without a snapshot, which VIP's agent has to submit next. It may still be active on L1, or ahead of it.
   */
  readonly next: bigint;
  /** The newest stage with a snapshot; the one before the first stage if L1 has no snapshot. */
  readonly newest: bigint;
  /** The snapshots by stage, ascending, of at most 100 stages. */
  readonly snapshots: ReadonlyMap<bigint, VipSnapshot>;
  /**
   * Stages before {@link newest} whose snapshot a challenge removed: until the agent submits it again, L1 refuses each claim that
   * includes the stage.
   */
  readonly removed: readonly bigint[];
}

/**
 * Reads which snapshots of a registration L1 has, at the height of the newest block.
 *
 * `submit_snapshot` takes a stage only if the stage before has a snapshot, but a challenge removes one and leaves later ones
 * (`execute_rollup_challenge`), and operators claim before it is over. So this reads the newest 100 stages, in two requests each.
 * If no stage of these has a snapshot, the agent is far behind: then it searches for the last one before them.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const { next, newest } = await readSnapshotStages({ l1RestUrl, bridgeId: 1n, version: 1n, initStage: 5n });
 */
export async function readSnapshotStages(options: ReadSnapshotStagesOptions): Promise<SnapshotStages> {
  return findSnapshotStages(await openVip(options), options);
}

/** Stages that are read one by one: on mainnet, those of four years. */
const maxRead = 100n;

/** Stages that are read side by side. */
const width = 10;

/** Finds what {@link readSnapshotStages} reads, at a given height. */
export async function findSnapshotStages(
  reader: VipReader,
  { bridgeId, version, initStage, endStage }: Omit<ReadSnapshotStagesOptions, keyof VipOptions>,
): Promise<SnapshotStages> {
  const { current, stages } = await reader.readModuleStore((data) => ({
    current: data.field("stage").u64(),
    stages: readHandle(data.field("stage_data")),
  }));
  const find = (stage: bigint): Promise<VipSnapshot | undefined> =>
    findSnapshot(reader, stages, { bridgeId, version, stage });
  const end = endStage !== undefined && endStage < current ? endStage + 1n : current;
  const from = end - maxRead > initStage ? end - maxRead : initStage;
  const numbers = Array.from({ length: Math.max(Number(end - from), 0) }, (_, index) => from + BigInt(index));
  const found = await inParallel(numbers, width, find);
  const newest = numbers.findLast((_, index) => found[index] !== undefined);
  if (newest === undefined) {
    const next = await firstWithout(initStage, from, find);
    return { next, newest: next - 1n, snapshots: new Map(), removed: [] };
  }
  const snapshots = new Map(numbers.flatMap((stage, index) => (found[index] ? [[stage, found[index]] as const] : [])));
  const removed = numbers.filter((stage) => stage < newest && !snapshots.has(stage));
  return { next: removed[0] ?? newest + 1n, newest, snapshots, removed };
}

/** Returns the first of the stages from `first` to `end` without a snapshot, where those with one come first; `end` has none. */
async function firstWithout(
  first: bigint,
  end: bigint,
  find: (stage: bigint) => Promise<VipSnapshot | undefined>,
): Promise<bigint> {
  let [low, without] = [first, end];
  while (low < without) {
    const middle = (low + without) / 2n;
    if ((await find(middle)) !== undefined) low = middle + 1n;
    else without = middle;
  }
  return low;
}
