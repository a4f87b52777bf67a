import { formatBech32, type Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { openL1, type L1Options } from "../vip/openVip.ts";

export interface ReadBalanceOptions extends L1Options {
  readonly account: Account;
  readonly denom: string;
}

/**
 * Reads what an account holds of a denomination on L1, in its smallest unit; 0 also for an account that does not exist.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readBalance({ account, denom, ...l1 }: ReadBalanceOptions): Promise<bigint> {
  const { rest, at } = openL1(l1);
  const path = `/cosmos/bank/v1beta1/balances/${formatBech32(account)}/by_denom`;
  return rest.get(path, (answer) => readAmount(answer.field("balance").field("amount")), { ...at, query: { denom } });
}

/** An amount of the bank, which has up to 256 bits. */
export function readAmount(field: Answer): bigint {
  const text = field.text();
  return /^\d{1,78}$/.test(text) ? BigInt(text) : field.unreadable("an amount");
}
