import { QueryAccountInfoRequest, QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import { queryChain, QueryError, undefinedIf, type JsonRpc } from "@vipscore/core/wire";
import { TransactionSigner, type AccountState, type CosmosAccount, type GasPrice } from "@vipscore/cosmos";
import { readBalances, readGasPrice } from "./fees.ts";

/** Opens a signer for the account's transactions on the chain behind an RPC endpoint. */
export function wasmSigner(
  comet: JsonRpc,
  { chainId, account, gasPrice }: { chainId: string; account: CosmosAccount; gasPrice: GasPrice | undefined },
): TransactionSigner {
  const { address } = account;
  const chain = {
    readAccountState: (signal: AbortSignal | undefined) => readAccountState(comet, address, signal),
    readGasPrice: (signal: AbortSignal | undefined) => readGasPrice(comet, signal),
    readBalances: (signal: AbortSignal | undefined) => readBalances(comet, address, signal),
  };
  return new TransactionSigner({ chain, chainId, account, gasPrice });
}

/** Reads an account's number and sequence; both are 0 for an account unknown to the chain, which never received anything. */
async function readAccountState(
  comet: JsonRpc,
  address: string,
  signal: AbortSignal | undefined,
): Promise<AccountState> {
  const accountInfo = {
    path: "/cosmos.auth.v1beta1.Query/AccountInfo",
    request: QueryAccountInfoRequest.encode({ address }).finish(),
    decode: (value: Uint8Array): AccountState => {
      const { info } = QueryAccountInfoResponse.decode(value);
      return { accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n };
    },
  };
  const state = await undefinedIf(isUnknownAccount, queryChain(comet, accountInfo, { signal }));
  return state ?? { accountNumber: 0n, sequence: 0n };
}

function isUnknownAccount(error: unknown): boolean {
  return error instanceof QueryError && /account \S+ not found/.test(error.details ?? "");
}
