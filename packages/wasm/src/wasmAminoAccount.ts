import { makeSignDoc, serializeSignDoc } from "@cosmjs/amino";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import type { Account } from "@vipscore/core";
import type { AminoSigner, UnsignedTransaction } from "@vipscore/core/cosmos";
import { aminoMessage } from "./aminoMessage.ts";
import { identityOf, keyKinds } from "./keyKind.ts";
import type { WasmAccount } from "./wasmAccount.ts";
import { addressOf } from "./wasmAddress.ts";
import { encodeParts, feeCoins, type WasmMessage } from "./wasmTransaction.ts";

const { SIGN_MODE_EIP_191, SIGN_MODE_LEGACY_AMINO_JSON } = SignMode;

/**
 * Creates an account that signs amino JSON, as hardware wallets do. The signature does not cover the last digits of numbers above
 * 2^53 in a contract's message: chains round them in amino JSON.
 *
 * @example
 * const account = wasmAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function wasmAminoAccount(signer: AminoSigner): WasmAccount {
  return new AminoAccount(signer);
}

class AminoAccount implements WasmAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = false;
  readonly maxDocumentBytes: number | undefined;
  readonly #signer: AminoSigner;
  readonly #publicKey: Any;

  constructor(signer: AminoSigner) {
    const { account, publicKey } = identityOf(keyKinds[signer.coinType], signer.publicKey);
    this.account = account;
    this.address = addressOf(account);
    this.#signer = signer;
    this.maxDocumentBytes = signer.maxDocumentBytes;
    this.#publicKey = publicKey;
  }

  async signTransaction(transaction: UnsignedTransaction<WasmMessage>): Promise<Uint8Array> {
    const { message, chainId, accountNumber, sequence, gas } = transaction;
    const fee = { amount: feeCoins(transaction), gas: gas.toString() };
    const messages = [aminoMessage(message)];
    const document = makeSignDoc(messages, fee, chainId, "", accountNumber.toString(), sequence.toString());
    const signature = await this.#signer.signAmino(serializeSignDoc(document));
    const mode = this.#signer.coinType === 60 ? SIGN_MODE_EIP_191 : SIGN_MODE_LEGACY_AMINO_JSON;
    const parts = encodeParts(transaction, { publicKey: this.#publicKey, mode });
    return TxRaw.encode({ ...parts, signatures: [signature] }).finish();
  }
}
