import { InputError, type OtherCall, type ScoreContract, type SignalOptions } from "@vipscore/core";
import { feeOf } from "./gasPrice.ts";
import { unsignedTransactionJson, type MessageJson } from "./transactionJson.ts";

/**
 * Gas for the keys and signatures of a multisig: by default a chain takes at most 7 keys in a transaction, which add about 900
 * bytes at 10 gas and 7 signatures at 1,000 gas.
 */
const multisigGas = 25_000n;

/**
 * Returns a call's transaction as the Cosmos CLI writes it with `--generate-only`, with gas and fee for a multisig.
 *
 * @throws NodeError.
 */
export async function unsignedCallJson(
  contract: ScoreContract,
  call: OtherCall,
  message: MessageJson,
  { signal }: SignalOptions = {},
) {
  const gas = contract.getCallGas(call) + multisigGas;
  const { gasPrice, token } = await contract.getFees({ signal });
  const amount = feeOf({ denom: token.symbol, ...gasPrice }, gas);
  const fee = amount === 0n ? undefined : { denom: token.symbol, amount };
  return unsignedTransactionJson({ messages: [message], gas, fee });
}

/**
 * Returns the account that a contract's calls are for.
 *
 * @throws InputError `KEY_INVALID` for a connection without one.
 */
export function senderOf({ signer }: ScoreContract): NonNullable<ScoreContract["signer"]> {
  if (signer !== undefined) return signer;
  throw new InputError("this connection has no account that could sign", { code: "KEY_INVALID" });
}
