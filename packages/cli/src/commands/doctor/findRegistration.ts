import {
  checkRollupBridge,
  readNextSnapshotStage,
  readVipBridges,
  type VipBridge,
  type VipOptions,
  type VipStage,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readRollupBridge } from "../../l1/openL1.ts";
import type { Settings } from "../../settings/readSettings.ts";
import { skipped, warning, type Finding } from "./finding.ts";

/** The flag that names the rollup's bridge. */
export interface BridgeFlags {
  readonly bridgeId?: bigint;
}

/** A registration of the rollup's bridge. */
export interface RegisteredVersion extends VipBridge {
  /** The first stage from its first one on of which L1 has no snapshot. */
  readonly next: bigint;
}

/** The registrations of the rollup's bridge on L1. */
export interface Registration {
  readonly bridgeId: bigint;
  /** Oldest first; only the last one can still be registered. */
  readonly versions: readonly RegisteredVersion[];
}

/**
 * Returns the ID of the rollup's bridge: the named one, which must be the rollup's own if that can be asked, or the rollup's
 * own. A contract's address would not do: two rollups can have a contract at the same one. Returns a finding if it is not known.
 *
 * @throws CheckError `BRIDGE_MISMATCH`; `CHAIN_MISMATCH` if the rollup's bridge is on another L1; NodeError.
 */
export async function findRollupBridge(
  context: Context,
  settings: Settings,
  { chainId: l1ChainId }: VipStage,
  { bridgeId }: BridgeFlags,
): Promise<bigint | Finding> {
  const own = await readRollupBridge(context, settings);
  const found = bridgeId ?? own?.bridgeId;
  if (found !== undefined) {
    if (own !== undefined) checkRollupBridge({ bridgeId: found, l1ChainId }, own);
    return found;
  }
  if (settings.rollupRestUrl === undefined) {
    return skipped(
      "registration",
      "the rollup's bridge is not known, so what L1 expects of the rollup was not checked",
      "Name the rollup's REST endpoint with --rollup-rest-url or ROLLUP_REST_URL, or its bridge with --bridge-id.",
    );
  }
  return warning(
    "registration",
    "the rollup does not know its bridge on L1 yet, so what L1 expects of the rollup was not checked",
    "Its executor sets the bridge once; or name it with --bridge-id.",
  );
}

/** Reads the registrations of a bridge, and which snapshots L1 has of them. */
export async function readRegistration(l1: VipOptions, bridgeId: bigint): Promise<Registration> {
  const { bridges, ended } = await readVipBridges(l1);
  const ofBridge = [...ended, ...bridges].filter((bridge) => bridge.bridgeId === bridgeId);
  const withNext = async (bridge: VipBridge): Promise<RegisteredVersion> => {
    const next = await readNextSnapshotStage({ ...l1, ...bridge });
    return { ...bridge, next };
  };
  return { bridgeId, versions: await Promise.all(ofBridge.map(withNext)) };
}

/** Returns the registered version; undefined if the bridge is not registered, or not known. */
export function registeredVersion(registration: Registration | undefined): RegisteredVersion | undefined {
  const newest = registration?.versions.at(-1);
  return newest?.endStage === undefined ? newest : undefined;
}
