import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import { absentIf, isMissingRoute, type Answer, type RestClient } from "@vipscore/core/wire";
import type { DocumentSize } from "@vipscore/cosmos";

/**
 * Most bytes of a transaction. A rollup accepts transactions of 2 MB, but a node's REST server accepts bodies of
 * 1,000,000 bytes by default (Cosmos SDK 0.50, `rpc-max-body-bytes`), and base64 adds a third. Batches far below either
 * limit keep several transactions in flight and each receipt small, which repeats every score as an event.
 */
const maxBytes = 250_000;

/** Signature, key, names, fee and the lengths of both lists at their maximum (about 420 bytes). */
const baseBytes = 600;

/** An address and a score. */
const rowBytes = 40;

/** In amino JSON: names, addresses, fee and framing at their maximum (about 800 bytes), and rows in base64. */
export const documentSize: DocumentSize = { baseBytes: 1_000, rowBytes: 54 };

/** Gas limit of a transaction on a chain without a block gas limit. */
const unlimitedGas = 100_000_000n;

/** Reads the chain's current limits for one transaction. */
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

/** The block gas limit; undefined if the chain has none or does not report it. */
function readBlockGas(answer: Answer): bigint | undefined {
  const field = answer.optional("params")?.optional("block")?.optional("max_gas");
  return field === undefined || /^(-1|0)$/.test(field.text()) ? undefined : field.u64();
}
