import { formatBech32, parseAccount, VipError, type Account } from "@vipscore/core";
import {
  isMissingRoute,
  isNotFound,
  openJsonRpc,
  openRest,
  restOverRpc,
  undefinedIf,
  type Answer,
} from "@vipscore/core/wire";
import { openL1, type L1Options } from "../vip/openVip.ts";
import { newestBridge, type VipBridge } from "../vip/readVipBridges.ts";
import type { VipStage } from "../vip/readVipStage.ts";
import { readBridgeBalance, type ReadBridgeBalanceOptions } from "./readVoteRules.ts";

/** A rollup's bridge as the rollup itself knows it. */
export interface RollupBridge {
  readonly bridgeId: bigint;
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
  /** The chain ID of the L1. */
  readonly l1ChainId: string;
}

export interface ReadBridgeInfoOptions {
  /** REST endpoint of the rollup, on any VM. Default: `rollupRpcUrl`. */
  readonly rollupRestUrl?: string | undefined;
  /** CometBFT RPC of the rollup, on any VM. */
  readonly rollupRpcUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads which bridge on L1 a rollup belongs to (`bridge_info` of its module OPinit); undefined while its executor has not
 * set one, and for a node that does not have the query in its RPC.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE`; the signal's reason
 * when aborted.
 */
export async function readBridgeInfo({
  rollupRestUrl,
  rollupRpcUrl = "",
  signal,
}: ReadBridgeInfoOptions): Promise<RollupBridge | undefined> {
  const isOverRpc = rollupRestUrl === undefined;
  const rest = isOverRpc
    ? restOverRpc(openJsonRpc(rollupRpcUrl, { title: "RPC URL of the rollup" }))
    : openRest(rollupRestUrl, { title: "REST URL of the rollup" });
  return undefinedIf(
    (error) => isNotFound(error) || (isOverRpc && isMissingRoute(error)),
    rest.get("/opinit/opchild/v1/bridge_info", readInfo, { signal }),
  );
}

function readInfo(answer: Answer): RollupBridge {
  const info = answer.field("bridge_info");
  return {
    bridgeId: info.field("bridge_id").u64(),
    bridgeAddress: readL1Address(info.field("bridge_addr")),
    l1ChainId: info.field("l1_chain_id").text(),
  };
}

function readL1Address(field: Answer): Account {
  try {
    return parseAccount(field.text(), { accountBytes: [20, 32] });
  } catch {
    return field.unreadable("an address");
  }
}

/** A bridge to propose something for. */
export interface WantedBridge extends Pick<RollupBridge, "bridgeId" | "l1ChainId"> {
  /** Default: not compared. */
  readonly bridgeAddress?: Account;
}

/**
 * Checks that a bridge is the one that the rollup itself names, and that it is on the L1 of the endpoint. The address of a bridge
 * depends on its number alone, so two L1s have it alike.
 *
 * @throws VipError `BRIDGE_MISMATCH`; `CHAIN_MISMATCH` for another L1.
 */
export function checkRollupBridge(wanted: WantedBridge, ofRollup: RollupBridge | undefined): void {
  if (ofRollup === undefined) {
    throw new VipError("the rollup does not know its bridge on L1 yet", {
      code: "BRIDGE_MISMATCH",
      metaMessages: ["Its executor sets the bridge once; register the rollup after that."],
    });
  }
  const { bridgeId, bridgeAddress, l1ChainId } = ofRollup;
  if (l1ChainId !== wanted.l1ChainId) {
    throw new VipError(`L1's endpoint serves chain ${wanted.l1ChainId}, and the rollup's bridge is on ${l1ChainId}`, {
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
 * @throws VipError `BRIDGE_NOT_FOUND`; NodeError; the signal's reason when aborted.
 */
export async function checkBridgeExists({ bridgeId, ...l1 }: CheckBridgeExistsOptions): Promise<void> {
  const { rest, at } = openL1(l1);
  const path = `/opinit/ophost/v1/bridges/${bridgeId}`;
  const found = await undefinedIf(
    isNotFound,
    rest.get(path, (answer) => answer.field("bridge_id").u64(), at),
  );
  if (found === bridgeId) return;
  throw new VipError(`L1 has no bridge ${bridgeId}`, {
    code: "BRIDGE_NOT_FOUND",
    metaMessages: ["Check the bridge's number, and that L1's endpoint is that of the rollup's L1."],
  });
}

function mismatch(what: string, wanted: string, found: string): VipError {
  return new VipError(`the settings name ${what} ${wanted}, the rollup names ${found}`, {
    code: "BRIDGE_MISMATCH",
    metaMessages: ["Correct the settings, or name the endpoint of the rollup that they are about."],
  });
}

/**
 * Checks that a bridge is not registered with VIP yet.
 *
 * @throws VipError `BRIDGE_REGISTERED`.
 */
export function checkNotRegistered(bridges: readonly VipBridge[], bridgeId: bigint): void {
  const found = newestOf(bridges, bridgeId);
  if (found === undefined) return;
  throw new VipError(`bridge ${bridgeId} is registered already, with the contract ${found.scoreContract}`, {
    code: "BRIDGE_REGISTERED",
    metaMessages: [{ code: "propose-contract", text: "A proposal can name another contract." }],
  });
}

/**
 * Returns the registration of a bridge, the newest one.
 *
 * @throws VipError `BRIDGE_NOT_REGISTERED`.
 */
export function requireRegistered(bridges: readonly VipBridge[], bridgeId: bigint): VipBridge {
  const found = newestOf(bridges, bridgeId);
  if (found !== undefined) return found;
  throw new VipError(`bridge ${bridgeId} is not registered with VIP`, {
    code: "BRIDGE_NOT_REGISTERED",
    metaMessages: [{ code: "propose-registration", text: "A proposal can register it." }],
  });
}

function newestOf(bridges: readonly VipBridge[], bridgeId: bigint): VipBridge | undefined {
  return newestBridge(bridges.filter((bridge) => bridge.bridgeId === bridgeId));
}

export interface CheckBridgeBalanceOptions extends ReadBridgeBalanceOptions {
  readonly current: VipStage;
}

/**
 * Checks that a bridge holds VIP's minimum (`minimum_eligible_tvl`), which `register` asks for when the vote on it executes.
 *
 * @throws VipError `BRIDGE_BELOW_MINIMUM`; NodeError; the signal's reason when aborted.
 */
export async function checkBridgeBalance(options: CheckBridgeBalanceOptions): Promise<void> {
  const { current, bridgeAddress } = options;
  const minimum = current.parameters.minimumEligibleTvl;
  if (minimum === 0n) return;
  const { denom, amount } = await readBridgeBalance(options);
  if (amount >= minimum) return;
  throw new VipError(
    `the bridge ${formatBech32(bridgeAddress)} holds ${amount}${denom} on L1, and VIP's minimum is ${minimum}${denom}`,
    {
      code: "BRIDGE_BELOW_MINIMUM",
      metaMessages: [
        "The vote would pass and then fail: vip::register aborts with code 852002 if the bridge holds less when it executes.",
        "Have users bridge more to the rollup. After a stage in which the bridge holds less, on average, the next one pays nothing.",
      ],
    },
  );
}
