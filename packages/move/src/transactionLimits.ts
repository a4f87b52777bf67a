import type { SignalOptions, TransactionLimits } from "@vipscore/core";
import { isMissingRoute, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import { accountLimits, type CosmosAccount } from "@vipscore/cosmos";

/** Signature, key, names, fee and the lengths of both lists at their maximum (about 420 bytes). */
const baseBytes = 600;

/** An address and a score. */
const rowBytes = 40;

/** An address and a score in base64. */
const documentRowBytes = 54;

/** Reads the chain's current limits for one transaction of the account. */
export async function transactionLimits(
  rest: RestClient,
  baseGas: bigint,
  account: CosmosAccount | undefined,
  { signal }: SignalOptions,
): Promise<TransactionLimits> {
  const asked = rest.get("/cosmos/consensus/v1/params", readBlockGas, { signal });
  const blockGas = await undefinedIf(isMissingRoute, asked);
  return accountLimits({ baseGas, baseBytes, rowBytes, documentRowBytes, blockGas }, account);
}

/** The block gas limit; undefined if the chain has none or does not report it. */
function readBlockGas(answer: Answer): bigint | undefined {
  const field = answer.optional("params")?.optional("block")?.optional("max_gas");
  return field === undefined || /^(-1|0)$/.test(field.text()) ? undefined : field.u64();
}
