import type { RestClient } from "@vipscore/core/wire";
import { TransactionSigner, type GasPrice } from "@vipscore/cosmos";
import { readAccountState } from "./accountState.ts";
import { readBalances, readGasPrice } from "./fees.ts";
import type { MoveAccount } from "./moveAccount.ts";

/** Opens a signer for the account's transactions on the chain behind a REST endpoint. */
export function moveSigner(
  rest: RestClient,
  { chainId, account, gasPrice }: { chainId: string; account: MoveAccount; gasPrice: GasPrice | undefined },
): TransactionSigner {
  const { address } = account;
  const chain = {
    readAccountState: (signal: AbortSignal | undefined) => readAccountState(rest, address, signal),
    readGasPrice: (signal: AbortSignal | undefined) => readGasPrice(rest, signal),
    readBalances: (signal: AbortSignal | undefined) => readBalances(rest, address, signal),
  };
  return new TransactionSigner({ chain, chainId, account, gasPrice });
}
