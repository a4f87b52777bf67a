import type { Answer, RestClient } from "@vipscore/core/wire";
import { readCoins, type Coin } from "@vipscore/cosmos";

/** Reads the account's balances. */
export function readBalances(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly Coin[]> {
  const read = (answer: Answer): readonly Coin[] => readCoins(answer.field("balances").elements());
  return rest.get(`/cosmos/bank/v1beta1/balances/${address}`, read, { signal, query: { "pagination.limit": "1000" } });
}
