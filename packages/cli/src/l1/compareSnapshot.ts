import { CheckError, type ScoreContract } from "@vipscore/core";
import { formatTime, group } from "@vipscore/core/values";
import {
  checkRollupBridge,
  readVipSnapshot,
  type RollupBridge,
  type VipBridge,
  type VipOptions,
  type VipSnapshot,
  type VipStage,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { vipOptions, type L1Settings } from "../settings/l1Settings.ts";
import type { Settings } from "../settings/readSettings.ts";
import { findBridge, type BridgeWanted } from "./findBridge.ts";
import { readL1Stage } from "./l1Stage.ts";
import { readRollupBridge } from "./rollupBridge.ts";

/** The root and total of a stage, to compare with L1's. */
export interface OwnSnapshot {
  readonly stage: bigint;
  /** Undefined without leaves. */
  readonly root: string | undefined;
  readonly total: bigint;
}

/** A stage's rollup on L1. */
export interface RollupOnL1 {
  readonly options: VipOptions;
  /** The registration to which the stage belongs. */
  readonly bridge: VipBridge;
  readonly current: VipStage;
}

/** L1's data of a stage, beside a snapshot computed here. */
export interface SnapshotComparison extends RollupOnL1 {
  readonly status: "matches" | "differs" | "notThereYet";
  readonly onL1: VipSnapshot | undefined;
}

/**
 * Finds the bridge on L1. Warns if the VIP module is unconfirmed, L1 is stale, or the bridge has another contract.
 *
 * @param own The rollup's own bridge, if it was asked.
 * @throws CheckError `CHAIN_MISMATCH` if the rollup's own bridge is on another L1; InputError `CONFIG_INVALID`; NodeError.
 */
export async function openL1(
  context: Context,
  l1: L1Settings,
  wanted: BridgeWanted,
  own?: RollupBridge,
): Promise<RollupOnL1> {
  const current = await readL1Stage(context, l1);
  if (own !== undefined) checkRollupBridge({ bridgeId: own.bridgeId, l1ChainId: current.chainId }, own);
  const bridge = await findBridge(context, l1, wanted);
  return { options: vipOptions(l1, context.io.signal), bridge, current };
}

/**
 * Compares a snapshot with the one on L1. Without leaves, only the total counts: L1 stores some root, which nobody needs.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError.
 */
export async function compareSnapshot(found: RollupOnL1, own: OwnSnapshot): Promise<SnapshotComparison> {
  const { bridgeId, version } = found.bridge;
  const onL1 = await readVipSnapshot({ ...found.options, bridgeId, version, stage: own.stage });
  if (onL1 === undefined) return { status: "notThereYet", onL1, ...found };
  const isEqual = onL1.total === own.total && (own.root === undefined || own.root === onL1.root);
  return { status: isEqual ? "matches" : "differs", onL1, ...found };
}

/** The line about L1, for people. */
export function comparisonText({ status, onL1, bridge, current }: SnapshotComparison, { stage }: OwnSnapshot): string {
  const { bridgeId, version, initStage, endStage } = bridge;
  const registration = `bridge ${bridgeId}, version ${version}`;
  if (onL1 !== undefined) return `${status}, submitted ${formatTime(onL1.createdAt)} for ${registration}`;
  if (stage < initStage)
    return `not there yet, and never will be: the first stage that L1 expects of ${registration} is ${initStage}`;
  if (endStage !== undefined && stage > endStage)
    return `not there yet, and never will be: the last stage that L1 takes of ${registration} is ${endStage}`;
  if (stage >= current.stage) return `not there yet: L1 is at stage ${current.stage}`;
  return "not there yet: VIP's agent submits it some time after the stage is finalized";
}

/** @throws CheckError `SNAPSHOT_DIFFERS` if the comparison says so. */
export function requireSame({ status, onL1, bridge, current }: SnapshotComparison, own: OwnSnapshot): void {
  if (status !== "differs" || onL1 === undefined) return;
  const { challengePeriodSeconds } = current.parameters;
  const end = new Date(onL1.createdAt.getTime() + Number(challengePeriodSeconds) * 1000);
  const isOver = end <= current.time;
  throw new CheckError(`L1's snapshot of stage ${own.stage} is not what the contract's scores give`, {
    code: "SNAPSHOT_DIFFERS",
    metaMessages: [
      `L1   root ${onL1.root === "" ? "empty" : onL1.root}, total ${group(onL1.total)}, submitted ${formatTime(onL1.createdAt)}`,
      `here root ${own.root ?? "none"}, total ${group(own.total)}`,
      onL1.total === own.total
        ? "The totals are equal: single scores differ, or VIP's agent builds its tree in another way."
        : "The totals differ: VIP's agent read other scores than these.",
      bridge.endStage !== undefined
        ? "Its registration has ended, so governance can no longer challenge it."
        : isOver
          ? `The challenge period ended at ${formatTime(end)}.`
          : `Governance on L1 can challenge the snapshot until ${formatTime(end)}: vipscore proposal challenge`,
    ],
  });
}

/** Returns the object that `--json` prints of the comparison; null without an L1 endpoint. */
export function comparisonJson(comparison: SnapshotComparison | undefined): object | null {
  if (comparison === undefined) return null;
  const { status, bridge, current, onL1 } = comparison;
  return {
    status,
    chainId: current.chainId,
    vipAddress: current.vip.address,
    stage: current.stage,
    version: bridge.version,
    snapshot:
      onL1 === undefined
        ? null
        : {
            root: onL1.root,
            total: onL1.total,
            createdAt: onL1.createdAt.toISOString(),
            updatedAt: onL1.updatedAt.toISOString(),
            height: onL1.height,
          },
  };
}

/**
 * Finds the registration of a stage on L1, of the given bridge, the one that the rollup names, or the contract's; warns and
 * returns undefined without an L1 endpoint.
 *
 * @throws as {@link openL1}.
 */
export async function findL1(
  context: Context,
  settings: Settings,
  { identity }: ScoreContract,
  { bridgeId, stage }: { readonly bridgeId?: bigint; readonly stage: bigint },
): Promise<RollupOnL1 | undefined> {
  const { l1 } = settings;
  if (l1 !== undefined) {
    const own = bridgeId === undefined ? await readRollupBridge(context, settings) : undefined;
    return openL1(context, l1, { bridgeId: bridgeId ?? own?.bridgeId, contract: identity, stage }, own);
  }
  context.output.warn("not compared with L1: set --l1-rest-url or L1_REST_URL");
  return undefined;
}
