import type { JsonRpc } from "@vipscore/core/wire";
import { TransactionSigner, type GasPrice } from "@vipscore/cosmos";
import { readAccountState } from "./accountState.ts";
import { readBalances, readGasPrice } from "./fees.ts";
import type { WasmAccount } from "./wasmAccount.ts";

/** Opens a signer for the account's transactions on the chain behind an RPC endpoint. */
export function wasmSigner(
  comet: JsonRpc,
  { chainId, account, gasPrice }: { chainId: string; account: WasmAccount; gasPrice: GasPrice | undefined },
): TransactionSigner {
  const { address } = account;
  const chain = {
    readAccountState: (signal: AbortSignal | undefined) => readAccountState(comet, address, signal),
    readGasPrice: (signal: AbortSignal | undefined) => readGasPrice(comet, signal),
    readBalances: (signal: AbortSignal | undefined) => readBalances(comet, address, signal),
  };
  return new TransactionSigner({ chain, chainId, account, gasPrice });
}
