import { formatBech32, type Account } from "@vipscore/core";
import { openRest, type Answer } from "@vipscore/core/wire";

export interface ReadBalanceOptions {
  /** REST endpoint of L1. */
  readonly l1RestUrl: string;
  readonly account: Account;
  readonly denom: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads what an account holds of a denomination on L1, in its smallest unit; 0 also for an account that does not exist.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readBalance({ l1RestUrl, account, denom, signal }: ReadBalanceOptions): Promise<bigint> {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  const path = `/cosmos/bank/v1beta1/balances/${formatBech32(account)}/by_denom`;
  return rest.get(path, (answer) => readAmount(answer.field("balance").field("amount")), { signal, query: { denom } });
}

/** An amount of the bank, which has up to 256 bits. */
export function readAmount(field: Answer): bigint {
  const text = field.text();
  return /^\d{1,78}$/.test(text) ? BigInt(text) : field.unreadable("an amount");
}
