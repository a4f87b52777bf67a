import {
  AuthInfo,
  Coins,
  Fee,
  ModeInfo,
  SignDoc,
  SignerInfo,
  Tx,
  TxBody,
  type Msg,
  type PublicKey,
} from "@initia/initia.js";
import { queuedTxTypeUrl, type UnsignedTransaction } from "@vipscore/core/cosmos";

/** Returns what a signature of a transaction covers, in the mode that it names. */
export function signDocument(
  transaction: UnsignedTransaction<Msg>,
  { publicKey, mode }: { readonly publicKey: PublicKey; readonly mode: ModeInfo.SignMode },
): SignDoc {
  const { message, chainId, sequence, isQueued = false, ...rest } = transaction;
  const body = isQueued ? new QueuedTxBody([message]) : new TxBody([message]);
  const fee = new Fee(Number(rest.gas), rest.fee === undefined ? new Coins() : `${rest.fee.amount}${rest.fee.denom}`);
  const signer = new SignerInfo(publicKey, Number(sequence), new ModeInfo(new ModeInfo.Single(mode)));
  const auth = new AuthInfo([signer], fee);
  return new SignDoc(chainId, Number(rest.accountNumber), Number(sequence), auth, body);
}

/** Returns the bytes of a transaction with its signature. */
export function encodeSigned({ tx_body, auth_info }: SignDoc, signature: Uint8Array): Uint8Array {
  return new Tx(tx_body, auth_info, [Buffer.from(signature).toString("base64")]).toBytes();
}

/** A transaction that the mempool queues while its sequence is ahead; initia.js does not support extensions. */
class QueuedTxBody extends TxBody {
  override toProto(): TxBody.Proto {
    return { ...super.toProto(), extensionOptions: [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] };
  }
}
