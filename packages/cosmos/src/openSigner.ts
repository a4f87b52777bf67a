import type { ReadOptions } from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import type { CosmosAccount } from "./cosmosAccount.ts";
import { readCoins, readRestGasPrice, type Coin, type GasPrice } from "./gasPrice.ts";
import { TransactionSigner, type AccountState } from "./transactionSigner.ts";

/** Opens a signer for the account's transactions on the chain behind an endpoint. */
export function openSigner(
  rest: RestClient,
  { chainId, account, gasPrice }: { chainId: string; account: CosmosAccount; gasPrice: GasPrice | undefined },
): TransactionSigner {
  const { address } = account;
  const chain = {
    findAccountState: (options: ReadOptions) => findAccountState(rest, address, options),
    readGasPrice: (signal: AbortSignal | undefined) => readRestGasPrice(rest, signal),
    readBalances: (signal: AbortSignal | undefined) => readBalances(rest, address, signal),
  };
  return new TransactionSigner({ chain, chainId, account, gasPrice });
}

/** Reads an account's number and sequence; undefined for an account unknown to the chain, which never received anything. */
export function findAccountState(
  rest: RestClient,
  address: string,
  options: ReadOptions,
): Promise<AccountState | undefined> {
  const asked = rest.get(`/cosmos/auth/v1beta1/account_info/${address}`, readAccountInfo, options);
  return undefinedIf(isNotFound, asked);
}

function readAccountInfo(answer: Answer): AccountState {
  const info = answer.field("info");
  return { accountNumber: info.field("account_number").u64(), sequence: info.field("sequence").u64() };
}

/** Reads the account's balances. */
export function readBalances(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<readonly Coin[]> {
  const read = (answer: Answer): readonly Coin[] => readCoins(answer.field("balances").elements());
  return rest.get(`/cosmos/bank/v1beta1/balances/${address}`, read, { signal, query: { "pagination.limit": "1000" } });
}
