import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import type { Account } from "@vipscore/core";
import type { AminoMessage, CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { keyIdentity, keyKinds, type KeyIdentity } from "./keyAccount.ts";
import { encodeParts, encodeSigned, feeCoins } from "./transactionBytes.ts";

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
   * @throws VipError.
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

/** What a signature in amino JSON covers. */
export interface AminoDocument {
  readonly account_number: string;
  readonly chain_id: string;
  readonly fee: {
    readonly amount: readonly { readonly denom: string; readonly amount: string }[];
    readonly gas: string;
  };
  readonly memo: string;
  readonly msgs: readonly AminoMessage[];
  readonly sequence: string;
}

/** Returns a transaction in amino JSON. Throws an Error for a message without an amino form. */
export function aminoDocument(transaction: UnsignedTransaction): AminoDocument {
  const { message, chainId, accountNumber, sequence, gas } = transaction;
  if (message.amino === undefined) throw new Error(`${message.typeUrl} has no form in amino JSON here`);
  return {
    account_number: accountNumber.toString(),
    chain_id: chainId,
    fee: { amount: feeCoins(transaction), gas: gas.toString() },
    memo: "",
    msgs: [message.amino()],
    sequence: sequence.toString(),
  };
}

/**
 * Returns the bytes that a signature covers: the fields in alphabetical order, without white space, as the chain writes them
 * (Cosmos SDK 0.50, `x/auth/migrations/legacytx`).
 */
export function encodeAmino(document: AminoDocument): Uint8Array {
  return Buffer.from(escapeAsGo(sortedJson(document)));
}

/** Writes JSON with the fields of each object in the order of their names; a field whose value is undefined is left out. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${sortedJson(field)}`).join(",")}}`;
}

/** Escapes the characters that Go's encoder escapes in JSON and JavaScript's does not. */
function escapeAsGo(json: string): string {
  return json.replace(/[&<>\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
