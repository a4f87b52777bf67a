import type { TransactionLimits } from "@vipscore/core";
import { isMissingRoute, isObject, type RestClient } from "@vipscore/core/http";

/**
 * Most bytes of a transaction. A rollup takes transactions of 2 MB, but the REST server of a node takes bodies of
 * 1,000,000 bytes unless told otherwise (Cosmos SDK 0.50, `rpc-max-body-bytes`), and base64 adds a third. Batches far
 * below either keep several transactions under way, and the receipt of each, which repeats every score as an event, small.
 */
const maxBytes = 250_000;

/** Signature, key, names, fee and the lengths of both lists at their widest (about 420 bytes). */
const baseBytes = 600;

/** An address and a score. */
const rowBytes = 40;

/** Gas of a transaction on a chain that sets no limit to its blocks. */
const unlimitedGas = 100_000_000n;

/** What bounds one transaction on this chain now. */
export async function transactionLimits(
  rest: RestClient,
  baseGas: bigint,
  signal: AbortSignal | undefined,
): Promise<TransactionLimits> {
  const blockGas = await readBlockGas(rest, signal);
  const maxGas = blockGas !== undefined && blockGas < unlimitedGas ? blockGas : unlimitedGas;
  return { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
}

/** The gas that a block may use; undefined where the chain sets no limit, or does not tell. */
async function readBlockGas(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint | undefined> {
  try {
    const { params } = await rest.get("/cosmos/consensus/v1/params", { signal });
    const block = isObject(params) ? params["block"] : undefined;
    const text = isObject(block) ? block["max_gas"] : undefined;
    return typeof text === "string" && /^[1-9]\d{0,19}$/.test(text) ? BigInt(text) : undefined;
  } catch (error) {
    if (isMissingRoute(error)) return undefined;
    throw error;
  }
}
