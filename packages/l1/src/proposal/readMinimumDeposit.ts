import { openRest, type Answer } from "@vipscore/core/wire";
import type { Deposit } from "./vipMessages.ts";

export interface ReadMinimumDepositOptions {
  /** REST endpoint of L1. */
  readonly l1RestUrl: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the deposit with which the vote on a proposal starts, one amount for each denomination; governance accepts no
 * other denomination.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readMinimumDeposit({
  l1RestUrl,
  signal,
}: ReadMinimumDepositOptions): Promise<readonly Deposit[]> {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  return rest.get("/cosmos/gov/v1/params/deposit", readCoins, { signal });
}

function readCoins(answer: Answer): readonly Deposit[] {
  const coins = answer.field("params").field("min_deposit").elements();
  return coins.map((coin) => ({ denom: coin.field("denom").text(), amount: readAmount(coin.field("amount")) }));
}

function readAmount(field: Answer): bigint {
  const text = field.text();
  return /^\d{1,78}$/.test(text) ? BigInt(text) : field.unreadable("an amount");
}
