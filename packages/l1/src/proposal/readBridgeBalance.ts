import type { Account } from "@vipscore/core";
import type { L1Options } from "../vip/openVip.ts";
import { readBalance } from "./readBalance.ts";
import { readVoteRules } from "./readVoteRules.ts";
import type { Deposit } from "./vipMessages.ts";

export interface ReadBridgeBalanceOptions extends L1Options {
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
}

/** The token in which VIP counts balances and pays rewards (`vault::reward_metadata` in the module's source). */
const rewardDenom = "uinit";

/**
 * Reads what a bridge holds of the token that VIP counts: `uinit`, or on a development chain without it the token of
 * governance's deposits.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readBridgeBalance(options: ReadBridgeBalanceOptions): Promise<Deposit> {
  const { bridgeAddress, ...rest } = options;
  const { minimumDeposit } = await readVoteRules(rest);
  const denoms = minimumDeposit.map(({ denom }) => denom);
  const denom = denoms.includes(rewardDenom) ? rewardDenom : (denoms[0] ?? rewardDenom);
  return { denom, amount: await readBalance({ ...rest, account: bridgeAddress, denom }) };
}
