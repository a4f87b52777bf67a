import { keccak256, Ripemd160, Secp256k1, Sha256, sha256 } from "@cosmjs/crypto";
import { makeAuthInfoBytes, makeSignBytes } from "@cosmjs/proto-signing";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { parseAccount, type Account } from "@vipscore/core";
import {
  privateKeyOf,
  queuedTxTypeUrl,
  type CosmosAccount,
  type CosmosKey,
  type UnsignedTransaction,
} from "@vipscore/core/cosmos";
import { addressOf, wasmAccountBytes } from "./wasmAddress.ts";

/** A message of a transaction: its type and its encoded value. */
export type WasmMessage = Pick<Any, "typeUrl" | "value">;

/** An account that signs on a Wasm rollup. */
export type WasmAccount = CosmosAccount<WasmMessage>;

/** How one kind of key derives addresses and signs. */
interface KeyKind {
  /** The type of the public key on the chain; both have the fields of cosmos.crypto.secp256k1.PubKey. */
  readonly typeUrl: string;
  /** The 20 bytes of the address. */
  readonly addressBytes: (uncompressed: Uint8Array) => Uint8Array;
  /** The digest of a document to sign. */
  readonly digest: (document: Uint8Array) => Uint8Array;
}

const kinds: Readonly<Record<60 | 118, KeyKind>> = {
  60: {
    typeUrl: "/initia.crypto.v1beta1.ethsecp256k1.PubKey",
    // As on Ethereum: the uncompressed point without its leading byte.
    addressBytes: (uncompressed) => keccak256(uncompressed.slice(1)).slice(-20),
    digest: keccak256,
  },
  118: {
    typeUrl: "/cosmos.crypto.secp256k1.PubKey",
    addressBytes: (uncompressed) =>
      new Ripemd160().update(new Sha256(Secp256k1.compressPubkey(uncompressed)).digest()).digest(),
    digest: sha256,
  },
};

/**
 * Creates an account from a key.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = wasmAccount({ mnemonic: process.env.MNEMONIC });
 */
export function wasmAccount(key: CosmosKey): WasmAccount {
  return new KeyAccount(privateKeyOf(key), kinds[key.coinType ?? 60]);
}

class KeyAccount implements WasmAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = true;
  readonly #privateKey: Uint8Array;
  readonly #publicKey: Any;
  readonly #kind: KeyKind;

  constructor(privateKey: Uint8Array, kind: KeyKind) {
    const publicKey = Secp256k1.uncompressPubkey(Secp256k1.makeKeypair(privateKey).pubkey);
    const hex = Buffer.from(kind.addressBytes(publicKey)).toString("hex");
    this.account = parseAccount(`0x${hex}`, { accountBytes: wasmAccountBytes });
    this.address = addressOf(this.account);
    this.#privateKey = privateKey;
    this.#kind = kind;
    const key = PubKey.encode({ key: Secp256k1.compressPubkey(publicKey) }).finish();
    this.#publicKey = { typeUrl: kind.typeUrl, value: key };
  }

  signTransaction(transaction: UnsignedTransaction<WasmMessage>): Promise<Uint8Array> {
    const { message, sequence, gas, fee, isQueued = false, ...rest } = transaction;
    const extensionOptions = isQueued ? [{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }] : [];
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [message], extensionOptions })).finish();
    const amount = fee === undefined ? [] : [{ denom: fee.denom, amount: fee.amount.toString() }];
    const signer = { pubkey: this.#publicKey, sequence };
    const authInfoBytes = makeAuthInfoBytes([signer], amount, Number(gas), undefined, undefined);
    const document = makeSignBytes({ bodyBytes, authInfoBytes, ...rest });
    const signed = Secp256k1.createSignature(this.#kind.digest(document), this.#privateKey);
    const signature = Buffer.concat([signed.r(32), signed.s(32)]);
    return Promise.resolve(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish());
  }
}
