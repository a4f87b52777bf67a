import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import { absentIf, isMissingQuery, queryChain, type JsonRpc } from "@vipscore/core/wire";
import { QueryParamsRequest, QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";

/**
 * Most bytes of a transaction. A rollup takes transactions of 2 MB, but the RPC server of a node takes bodies of
 * 1,000,000 bytes unless told otherwise (CometBFT 0.38, `max_body_bytes`), and base64 adds a third. Batches far below
 * either keep several transactions under way, and the receipt of each, which has an event for every score, small.
 */
const maxBytes = 250_000;

/** Signature, key, both addresses, names and fee at their widest (about 480 bytes). */
const baseBytes = 700;

/** `["init1…",18446744073709551615],` with an address of 32 bytes; of 20 bytes it is 20 less. */
const rowBytes = 89;

/** In a packed batch: length, address of 32 bytes and score of at most 10 bytes, in base64. */
const packedRowBytes = 58;

/** Gas of a transaction on a chain that sets no limit to its blocks. */
const unlimitedGas = 100_000_000n;

const blockGas = {
  path: "/cosmos.consensus.v1.Query/Params",
  request: QueryParamsRequest.encode({}).finish(),
  decode: (value: Uint8Array) => {
    const gas = QueryParamsResponse.decode(value).params?.block?.maxGas;
    // -1 stands for no limit.
    return gas !== undefined && gas > 0n ? gas : undefined;
  },
};

/** What bounds one transaction on this chain now. */
export async function transactionLimits(
  comet: JsonRpc,
  baseGas: bigint,
  { packed = false, signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const limit = await readBlockGas(comet, signal);
  const maxGas = limit !== undefined && limit < unlimitedGas ? limit : unlimitedGas;
  return { baseGas, maxGas, baseBytes, rowBytes: packed ? packedRowBytes : rowBytes, maxBytes };
}

/** The gas that a block may use; undefined where the chain sets no limit, or does not tell. */
function readBlockGas(comet: JsonRpc, signal: AbortSignal | undefined): Promise<bigint | undefined> {
  return absentIf(isMissingQuery, queryChain(comet, blockGas, { signal }));
}
