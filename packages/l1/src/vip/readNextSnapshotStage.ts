import type { Answer } from "@vipscore/core/wire";
import { openVip, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findEntry, keyOf, readHandle } from "./tables.ts";

/** A registration of a bridge. */
export interface ReadNextSnapshotStageOptions
  extends VipOptions, Pick<VipBridge, "bridgeId" | "version" | "initStage"> {}

/**
 * Reads the stage whose snapshot VIP's agent has to submit next: the first one from the bridge's first stage on of which L1
 * has no snapshot. It may still be active on L1, or ahead of it. All reads are at the height of the newest block.
 *
 * `submit_snapshot` takes a stage only below the current one, and only if the stage before has a snapshot
 * (`check_previous_stage_snapshot` in the module's source, github.com/initia-labs/vip-contract). So everything below the
 * result has a snapshot and nothing from it on, and a search needs about 4 log2(n) reads for n stages without a snapshot.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const stage = await readNextSnapshotStage({ l1RestUrl, bridgeId: 1n, version: 1n, initStage: 5n });
 */
export async function readNextSnapshotStage(options: ReadNextSnapshotStageOptions): Promise<bigint> {
  return findNextSnapshotStage(await openVip(options), options);
}

/** Finds what {@link readNextSnapshotStage} reads, at a given height. */
export async function findNextSnapshotStage(
  reader: VipReader,
  { bridgeId, version, initStage }: Pick<VipBridge, "bridgeId" | "version" | "initStage">,
): Promise<bigint> {
  const { current, stages } = await reader.readModuleStore((data) => ({
    current: data.field("stage").u64(),
    stages: readHandle(data.field("stage_data")),
  }));
  const key = Buffer.concat([keyOf(bridgeId), keyOf(version)]);
  return firstWithout(initStage, current, async (stage) => {
    const snapshots = await findEntry(reader, stages, keyOf(stage), readSnapshots);
    return snapshots !== undefined && (await findEntry(reader, snapshots, key, isThere)) !== undefined;
  });
}

function readSnapshots(stageData: Answer): string {
  return readHandle(stageData.field("snapshots"));
}

function isThere(snapshot: Answer): true {
  snapshot.field("merkle_root");
  return true;
}

/**
 * Returns the first of the stages from `first` to `end` without a snapshot, where those with one come first; `end` has
 * none. Searches down from `end` in growing steps, because few are missing, then between the last two steps.
 */
async function firstWithout(first: bigint, end: bigint, has: (stage: bigint) => Promise<boolean>): Promise<bigint> {
  if (end <= first) return first;
  let without = end;
  let low = first;
  for (let step = 1n; without > first; step *= 2n) {
    const stage = without - step < first ? first : without - step;
    if (await has(stage)) {
      low = stage + 1n;
      break;
    }
    without = stage;
  }
  while (low < without) {
    const middle = (low + without) / 2n;
    if (await has(middle)) low = middle + 1n;
    else without = middle;
  }
  return low;
}
