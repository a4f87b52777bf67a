import type { Account } from "@vipscore/core";
import { openVip, type VipOptions } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findVestingStore } from "./vestingStore.ts";

export interface ReadLastClaimedStageOptions extends VipOptions, Pick<VipBridge, "bridgeId" | "version"> {
  readonly account: Account;
}

/**
 * Reads the last stage that an account claimed of a registration, at the height of the newest block. Its next claim starts
 * with the stage after it.
 *
 * @returns undefined before its first claim.
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readLastClaimedStage(options: ReadLastClaimedStageOptions): Promise<bigint | undefined> {
  return (await findVestingStore(await openVip(options), options))?.lastClaimedStage;
}
