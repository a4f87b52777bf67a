import { CheckError, formatBech32, type Account } from "@vipscore/core";
import { absentIf, isNotFound } from "@vipscore/core/wire";
import { openL1, type L1Options } from "../vip/openVip.ts";
import { newestBridge, type VipBridge } from "../vip/readVipBridges.ts";
import type { RollupBridge } from "./readBridgeInfo.ts";

/** A bridge to propose something for. */
export interface WantedBridge extends Pick<RollupBridge, "bridgeId" | "l1ChainId"> {
  /** Default: not compared. */
  readonly bridgeAddress?: Account;
}

/**
 * Checks that a bridge is the one that the rollup itself names, and that it is on the L1 of the endpoint. The address of a bridge
 * depends on its number alone, so two L1s have it alike.
 *
 * @throws CheckError `BRIDGE_MISMATCH`; `CHAIN_MISMATCH` for another L1.
 */
export function checkRollupBridge(wanted: WantedBridge, ofRollup: RollupBridge | undefined): void {
  if (ofRollup === undefined) {
    throw new CheckError("the rollup does not know its bridge on L1 yet", {
      code: "BRIDGE_MISMATCH",
      metaMessages: ["Its executor sets the bridge once; register the rollup after that."],
    });
  }
  const { bridgeId, bridgeAddress, l1ChainId } = ofRollup;
  if (l1ChainId !== wanted.l1ChainId) {
    throw new CheckError(`L1's endpoint serves chain ${wanted.l1ChainId}, and the rollup's bridge is on ${l1ChainId}`, {
      code: "CHAIN_MISMATCH",
      metaMessages: [{ code: "name-l1", chainId: l1ChainId, text: `Name the REST endpoint of ${l1ChainId}.` }],
    });
  }
  if (bridgeId !== wanted.bridgeId) throw mismatch("bridge", wanted.bridgeId.toString(), bridgeId.toString());
  if (wanted.bridgeAddress !== undefined && bridgeAddress !== wanted.bridgeAddress) {
    throw mismatch("bridge address", formatBech32(wanted.bridgeAddress), formatBech32(bridgeAddress));
  }
}

/** A bridge on an L1. */
export interface CheckBridgeExistsOptions extends L1Options {
  readonly bridgeId: bigint;
}

/**
 * Checks that L1's module `ophost` has a bridge. VIP registers any number.
 *
 * @throws CheckError `BRIDGE_NOT_FOUND`; NodeError; the signal's reason when aborted.
 */
export async function checkBridgeExists({ bridgeId, ...l1 }: CheckBridgeExistsOptions): Promise<void> {
  const { rest, at } = openL1(l1);
  const path = `/opinit/ophost/v1/bridges/${bridgeId}`;
  const found = await absentIf(
    isNotFound,
    rest.get(path, (answer) => answer.field("bridge_id").u64(), at),
  );
  if (found === bridgeId) return;
  throw new CheckError(`L1 has no bridge ${bridgeId}`, {
    code: "BRIDGE_NOT_FOUND",
    metaMessages: ["Check the bridge's number, and that L1's endpoint is that of the rollup's L1."],
  });
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
    metaMessages: [{ code: "propose-contract", text: "A proposal can name another contract." }],
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
    metaMessages: [{ code: "propose-registration", text: "A proposal can register it." }],
  });
}

function newestOf(bridges: readonly VipBridge[], bridgeId: bigint): VipBridge | undefined {
  return newestBridge(bridges.filter((bridge) => bridge.bridgeId === bridgeId));
}
