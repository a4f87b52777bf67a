import { QueryParamsRequest, QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";
import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import { isMissingQuery, queryChain, undefinedIf, type JsonRpc } from "@vipscore/core/wire";
import { accountLimits, type CosmosAccount } from "@vipscore/cosmos";
import { baseGas } from "./gasModel.ts";

/** Signature, key, both addresses, names and fee at their maximum (about 480 bytes). */
const baseBytes = 700;

/** `["init1…",18446744073709551615],` with an address of 32 bytes; 20 less with one of 20 bytes. */
const publishedRowBytes = 89;

/** In a packed batch: length, address of 32 bytes and score of eight bytes, in base64. */
const packedRowBytes = 56;

const blockGasLimit = {
  path: "/cosmos.consensus.v1.Query/Params",
  request: QueryParamsRequest.encode({}).finish(),
  decode: (value: Uint8Array) => {
    const gas = QueryParamsResponse.decode(value).params?.block?.maxGas;
    // -1 means no limit.
    return gas !== undefined && gas > 0n ? gas : undefined;
  },
};

/** Reads the chain's current limits for one transaction of the account. */
export async function transactionLimits(
  comet: JsonRpc,
  account: CosmosAccount | undefined,
  { packed = false, signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const blockGas = await undefinedIf(isMissingQuery, queryChain(comet, blockGasLimit, { signal }));
  const rowBytes = packed ? packedRowBytes : publishedRowBytes;
  // In amino JSON a message is the same text as in the transaction itself.
  return accountLimits({ baseGas, baseBytes, rowBytes, documentRowBytes: rowBytes, blockGas }, account);
}
