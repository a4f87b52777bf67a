import { CheckError, formatBech32 } from "@vipscore/core";
import { newestBridge, type VipBridge } from "../vip/readVipBridges.ts";
import type { RollupBridge } from "./readBridgeInfo.ts";

/**
 * Checks that the bridge to register is the one that the rollup itself names.
 *
 * @throws CheckError `BRIDGE_MISMATCH`.
 */
export function checkRollupBridge(wanted: RollupBridge, ofRollup: RollupBridge | undefined): void {
  if (ofRollup === undefined) {
    throw new CheckError("the rollup does not know its bridge on L1 yet", {
      code: "BRIDGE_MISMATCH",
      metaMessages: ["Its executor sets the bridge once; register the rollup after that."],
    });
  }
  const { bridgeId, bridgeAddress } = ofRollup;
  if (bridgeId !== wanted.bridgeId) throw mismatch("bridge", wanted.bridgeId.toString(), bridgeId.toString());
  if (bridgeAddress !== wanted.bridgeAddress) {
    throw mismatch("bridge address", formatBech32(wanted.bridgeAddress), formatBech32(bridgeAddress));
  }
}

function mismatch(what: string, wanted: string, found: string): CheckError {
  return new CheckError(`the settings name ${what} ${wanted}, the rollup names ${found}`, {
    code: "BRIDGE_MISMATCH",
    metaMessages: ["Correct the settings, or name the endpoint of the rollup that they are about."],
  });
}

/**
 * Checks that a bridge is not registered with VIP yet.
 *
 * @throws CheckError `BRIDGE_REGISTERED`.
 */
export function checkNotRegistered(bridges: readonly VipBridge[], bridgeId: bigint): void {
  const found = newestOf(bridges, bridgeId);
  if (found === undefined) return;
  throw new CheckError(`bridge ${bridgeId} is registered already, with the contract ${found.scoreContract}`, {
    code: "BRIDGE_REGISTERED",
    metaMessages: ["To name another contract: vipscore proposal contract"],
  });
}

/**
 * Returns the registration of a bridge, the newest one.
 *
 * @throws CheckError `BRIDGE_NOT_REGISTERED`.
 */
export function requireRegistered(bridges: readonly VipBridge[], bridgeId: bigint): VipBridge {
  const found = newestOf(bridges, bridgeId);
  if (found !== undefined) return found;
  throw new CheckError(`bridge ${bridgeId} is not registered with VIP`, {
    code: "BRIDGE_NOT_REGISTERED",
    metaMessages: ["To register it: vipscore proposal register"],
  });
}

function newestOf(bridges: readonly VipBridge[], bridgeId: bigint): VipBridge | undefined {
  return newestBridge(bridges.filter((bridge) => bridge.bridgeId === bridgeId));
}
