import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import { absentIf, isMissingRoute, type Answer, type RestClient } from "@vipscore/core/wire";

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
  { signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const asked = rest.get("/cosmos/consensus/v1/params", readBlockGas, { signal });
  const blockGas = await absentIf(isMissingRoute, asked);
  const maxGas = blockGas !== undefined && blockGas < unlimitedGas ? blockGas : unlimitedGas;
  return { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
}

/** The gas that a block may use; undefined where the chain sets no limit, or does not tell. */
function readBlockGas(answer: Answer): bigint | undefined {
  const field = answer.optional("params")?.optional("block")?.optional("max_gas");
  return field === undefined || /^(-1|0)$/.test(field.text()) ? undefined : field.u64();
}
