import { makeAuthInfoBytes } from "@cosmjs/proto-signing";
import type { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { TxBody } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { queuedTxTypeUrl, type UnsignedTransaction } from "@vipscore/core/cosmos";

/** A message of a transaction: its type and its encoded value. */
export type WasmMessage = Pick<Any, "typeUrl" | "value">;

/** Returns the coins of a transaction's fee. */
export function feeCoins({ fee }: UnsignedTransaction<WasmMessage>): { denom: string; amount: string }[] {
  return fee === undefined ? [] : [{ denom: fee.denom, amount: fee.amount.toString() }];
}

/** Returns a transaction's two encoded parts, for a signature in a mode. */
export function encodeParts(
  transaction: UnsignedTransaction<WasmMessage>,
  { publicKey, mode }: { readonly publicKey: Any; readonly mode: SignMode },
): { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array } {
  const { message, sequence, gas, isQueued = false } = transaction;
  const extensionOptions = isQueued ? [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] : [];
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [message], extensionOptions })).finish();
  const signer = { pubkey: publicKey, sequence };
  const coins = feeCoins(transaction);
  return { bodyBytes, authInfoBytes: makeAuthInfoBytes([signer], coins, Number(gas), undefined, undefined, mode) };
}
