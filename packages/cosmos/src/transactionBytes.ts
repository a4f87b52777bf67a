import type { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { AuthInfo, SignDoc, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import type { UnsignedTransaction } from "./cosmosAccount.ts";
import { queuedTxTypeUrl } from "./transactionSigner.ts";

/** The two encoded parts of a transaction that a signature covers. */
export interface TransactionParts {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
}

export function feeCoins({ fee }: Pick<UnsignedTransaction, "fee">): { denom: string; amount: string }[] {
  return fee === undefined ? [] : [{ denom: fee.denom, amount: fee.amount.toString() }];
}

/** Encodes what a transaction says and who signs it; no key is known in a simulation. */
export function encodeParts(
  transaction: Omit<UnsignedTransaction, "chainId" | "accountNumber">,
  { publicKey, mode }: { readonly publicKey: Any | undefined; readonly mode: SignMode },
): TransactionParts {
  const { message, sequence, gas, isQueued = false } = transaction;
  const { typeUrl, value } = message;
  const body = TxBody.fromPartial({
    messages: [{ typeUrl, value }],
    extensionOptions: isQueued ? [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] : [],
  });
  const auth = AuthInfo.fromPartial({
    signerInfos: [{ ...(publicKey && { publicKey }), modeInfo: { single: { mode } }, sequence }],
    fee: { amount: feeCoins(transaction), gasLimit: gas },
  });
  return { bodyBytes: TxBody.encode(body).finish(), authInfoBytes: AuthInfo.encode(auth).finish() };
}

/** Returns the document that a signature in `SIGN_MODE_DIRECT` covers. */
export function encodeSignDoc(
  parts: TransactionParts,
  { chainId, accountNumber }: Pick<UnsignedTransaction, "chainId" | "accountNumber">,
): Uint8Array {
  return SignDoc.encode({ ...parts, chainId, accountNumber }).finish();
}

export function encodeSigned(parts: TransactionParts, signature: Uint8Array): Uint8Array {
  return TxRaw.encode({ ...parts, signatures: [signature] }).finish();
}
