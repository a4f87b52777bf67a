import { QueryParamsRequest, QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";
import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import { absentIf, isMissingQuery, queryChain, type JsonRpc } from "@vipscore/core/wire";
import type { DocumentSize } from "@vipscore/cosmos";

/**
 * Most bytes of a transaction. A rollup accepts transactions of 2 MB, but a node's RPC server accepts bodies of
 * 1,000,000 bytes by default (CometBFT 0.38, `max_body_bytes`), and base64 adds a third. Batches far below either limit
 * keep several transactions in flight and each receipt small, which has an event for every score.
 */
const maxBytes = 250_000;

/** Signature, key, both addresses, names and fee at their maximum (about 480 bytes). */
const baseBytes = 700;

/** `["init1…",18446744073709551615],` with an address of 32 bytes; 20 less with one of 20 bytes. */
const rowBytes = 89;

/** In a packed batch: length, address of 32 bytes and score of eight bytes, in base64. */
const packedRowBytes = 56;

/** Names, addresses, fee and framing of a transaction in amino JSON at their maximum (about 800 bytes). */
const documentBaseBytes = 1_000;

/** The size of a transaction in amino JSON, where a message is the same text as in the transaction itself. */
export function documentSize(limits: TransactionLimits): DocumentSize {
  return { baseBytes: documentBaseBytes, rowBytes: limits.rowBytes };
}

/** Gas limit of a transaction on a chain without a block gas limit. */
const unlimitedGas = 100_000_000n;

const blockGas = {
  path: "/cosmos.consensus.v1.Query/Params",
  request: QueryParamsRequest.encode({}).finish(),
  decode: (value: Uint8Array) => {
    const gas = QueryParamsResponse.decode(value).params?.block?.maxGas;
    // -1 means no limit.
    return gas !== undefined && gas > 0n ? gas : undefined;
  },
};

/** Reads the chain's current limits for one transaction. */
export async function transactionLimits(
  comet: JsonRpc,
  baseGas: bigint,
  { packed = false, signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const limit = await readBlockGas(comet, signal);
  const maxGas = limit !== undefined && limit < unlimitedGas ? limit : unlimitedGas;
  return { baseGas, maxGas, baseBytes, rowBytes: packed ? packedRowBytes : rowBytes, maxBytes };
}

/** The block gas limit; undefined if the chain has none or does not report it. */
function readBlockGas(comet: JsonRpc, signal: AbortSignal | undefined): Promise<bigint | undefined> {
  return absentIf(isMissingQuery, queryChain(comet, blockGas, { signal }));
}
