import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { signModeToJSON } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { AuthInfo, TxRaw, type SignerInfo } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { unsignedTransactionJson, type TransactionJsonParts } from "./transactionJson.ts";

/**
 * Returns a signed transaction as the Cosmos CLI writes it; `initiad tx broadcast` and `minitiad tx broadcast` read it.
 *
 * @param bytes The transaction with its signature.
 * @param parts What it was made of.
 */
export function signedTransactionJson(bytes: Uint8Array, parts: TransactionJsonParts) {
  const { authInfoBytes, signatures } = TxRaw.decode(bytes);
  const unsigned = unsignedTransactionJson(parts);
  const signers = AuthInfo.decode(authInfoBytes).signerInfos.map(signerJson);
  return {
    ...unsigned,
    auth_info: { ...unsigned.auth_info, signer_infos: signers },
    signatures: signatures.map(base64),
  };
}

function signerJson({ publicKey, modeInfo, sequence }: SignerInfo) {
  if (publicKey === undefined || modeInfo?.single === undefined) throw new Error("one key makes one signature");
  return {
    public_key: { "@type": publicKey.typeUrl, key: base64(PubKey.decode(publicKey.value).key) },
    mode_info: { single: { mode: signModeToJSON(modeInfo.single.mode) } },
    sequence: sequence.toString(),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
