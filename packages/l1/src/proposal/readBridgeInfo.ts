import { parseAccount, type Account } from "@vipscore/core";
import { absentIf, isNotFound, openRest, type Answer } from "@vipscore/core/wire";

/** A rollup's bridge as the rollup itself knows it. */
export interface RollupBridge {
  readonly bridgeId: bigint;
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
  /** The chain ID of the L1. */
  readonly l1ChainId: string;
}

export interface ReadBridgeInfoOptions {
  /** REST endpoint of the rollup, on any VM. */
  readonly rollupRestUrl: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads which bridge on L1 a rollup belongs to (`bridge_info` of its module OPinit); undefined while its executor has not
 * set one.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE`; the signal's reason
 * when aborted.
 */
export async function readBridgeInfo({
  rollupRestUrl,
  signal,
}: ReadBridgeInfoOptions): Promise<RollupBridge | undefined> {
  const rest = openRest(rollupRestUrl, { title: "REST URL of the rollup" });
  return absentIf(isNotFound, rest.get("/opinit/opchild/v1/bridge_info", readInfo, { signal }));
}

function readInfo(answer: Answer): RollupBridge {
  const info = answer.field("bridge_info");
  return {
    bridgeId: info.field("bridge_id").u64(),
    bridgeAddress: readAddress(info.field("bridge_addr")),
    l1ChainId: info.field("l1_chain_id").text(),
  };
}

function readAddress(field: Answer): Account {
  try {
    return parseAccount(field.text(), { accountBytes: [20, 32] });
  } catch {
    return field.unreadable("an address");
  }
}
