import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import type { Account } from "@vipscore/core";
import { aminoDocument, encodeAmino } from "./aminoDocument.ts";
import type { CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { keyIdentity, keyKinds, type KeyIdentity } from "./keyIdentity.ts";
import { encodeParts, encodeSigned } from "./transactionBytes.ts";

const modes = { 60: SignMode.SIGN_MODE_EIP_191, 118: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } as const;

/** An app of a hardware wallet that signs transactions on a Cosmos SDK chain. */
export interface AminoSigner {
  /**
   * The kind of the key and how it signs. 60: an ethsecp256k1 key and `SIGN_MODE_EIP_191`, as the Ethereum app does. 118: a
   * secp256k1 key and `SIGN_MODE_LEGACY_AMINO_JSON`, as the Cosmos app does.
   */
  readonly coinType: 60 | 118;
  /** The public key: a compressed point, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** Most bytes of a document that it signs. Default: any number. */
  readonly maxDocumentBytes?: number;
  /**
   * Signs a transaction in amino JSON. With coin type 60 the signature covers the document as an Ethereum message, whose prefix
   * the app adds itself; with 118, the document.
   *
   * @returns r and s, 64 bytes, s in the lower half of the curve's order; chains refuse the upper half.
   * @throws DeviceError.
   */
  signAmino(document: Uint8Array): Promise<Uint8Array>;
}

/**
 * Creates an account that signs amino JSON, as hardware wallets do. It signs only messages that have an amino form. On a
 * Wasm rollup the signature does not cover the last digits of numbers above 2^53 in a contract's message: chains round
 * them in amino JSON.
 *
 * @example
 * const account = moveAminoAccount({ coinType: 60, publicKey, signAmino: (document) => device.sign(document) });
 */
export function aminoAccount(signer: AminoSigner): CosmosAccount {
  return new AminoAccount(signer);
}

class AminoAccount implements CosmosAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = false;
  readonly maxDocumentBytes: number | undefined;
  readonly #signer: AminoSigner;
  readonly #publicKey: KeyIdentity["publicKey"];

  constructor(signer: AminoSigner) {
    const { address, account, publicKey } = keyIdentity(keyKinds[signer.coinType], signer.publicKey);
    this.address = address;
    this.account = account;
    this.maxDocumentBytes = signer.maxDocumentBytes;
    this.#signer = signer;
    this.#publicKey = publicKey;
  }

  async signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array> {
    const signature = await this.#signer.signAmino(encodeAmino(aminoDocument(transaction)));
    const mode = modes[this.#signer.coinType];
    return encodeSigned(encodeParts(transaction, { publicKey: this.#publicKey, mode }), signature);
  }
}
