import type { Account } from "@vipscore/core";
import { bcsAddress, bcsBytes } from "../bcs/bcsType.ts";
import { findEntry, pairKey, readHandle, readStoreOf, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";

/**
 * Reads the claims of a registration that L1's module `vesting` keeps, those of an account or, if it is undefined, of the
 * operator; undefined before the first claim.
 */
export async function findVestingStore(
  reader: VipReader,
  { bridgeId, version }: Pick<VipBridge, "bridgeId" | "version">,
  account: Account | undefined,
): Promise<{ readonly lastClaimedStage: bigint; readonly vestings: string } | undefined> {
  const isOperator = account === undefined;
  const table = isOperator ? "operator_vestings" : "user_vestings";
  const handle = await readStoreOf(reader, "vesting", (data) => readHandle(data.field(table)));
  const claimant = isOperator ? Buffer.alloc(32) : bcsAddress.encode(account);
  const key = bcsBytes.encode(Buffer.concat([pairKey(bridgeId, version), claimant]));
  return findEntry(reader, handle, key, (value) => ({
    lastClaimedStage: value.field("last_claimed_stage").u64(),
    vestings: readHandle(value.field("vestings")),
  }));
}
