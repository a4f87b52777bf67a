import {
  EnglishMnemonic,
  keccak256,
  Ripemd160,
  Secp256k1,
  Sha256,
  sha256,
  Slip10,
  Slip10Curve,
  stringToPath,
} from "@cosmjs/crypto";
import { makeAuthInfoBytes, makeSignBytes } from "@cosmjs/proto-signing";
import { InputError, parseAccount, type Account } from "@vipscore/core";
import { queuedTxTypeUrl, type CosmosAccount, type CosmosKey, type UnsignedTransaction } from "@vipscore/core/cosmos";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { pbkdf2Sync } from "node:crypto";
import { addressOf, wasmAccountBytes } from "./wasmAddress.ts";

/** A message of a transaction: its type and its bytes. */
export type WasmMessage = Pick<Any, "typeUrl" | "value">;

/** An account that signs on a Wasm rollup. */
export type WasmAccount = CosmosAccount<WasmMessage>;

/** How one kind of key names and signs. */
interface KeyKind {
  readonly path: string;
  /** The type of the public key on the chain; both have the fields of cosmos.crypto.secp256k1.PubKey. */
  readonly typeUrl: string;
  /** The 20 bytes of the address. */
  readonly addressBytes: (uncompressed: Uint8Array) => Uint8Array;
  /** The digest of a document that is signed. */
  readonly digest: (document: Uint8Array) => Uint8Array;
}

const kinds: Readonly<Record<60 | 118, KeyKind>> = {
  60: {
    path: "m/44'/60'/0'/0/0",
    typeUrl: "/initia.crypto.v1beta1.ethsecp256k1.PubKey",
    // As on Ethereum: the point without its leading byte.
    addressBytes: (uncompressed) => keccak256(uncompressed.slice(1)).slice(-20),
    digest: keccak256,
  },
  118: {
    path: "m/44'/118'/0'/0/0",
    typeUrl: "/cosmos.crypto.secp256k1.PubKey",
    addressBytes: (uncompressed) =>
      new Ripemd160().update(new Sha256(Secp256k1.compressPubkey(uncompressed)).digest()).digest(),
    digest: sha256,
  },
};

/**
 * Makes an account from a key.
 *
 * @throws InputError `KEY_INVALID` for a key or mnemonic that is none; its text is not repeated.
 * @example
 * const account = wasmAccount({ mnemonic: process.env.MNEMONIC });
 */
export function wasmAccount(key: CosmosKey): WasmAccount {
  return new KeyAccount(readKey(key), kinds[key.coinType ?? 60]);
}

class KeyAccount implements WasmAccount {
  readonly address: string;
  readonly account: Account;
  readonly #privateKey: Uint8Array;
  readonly #publicKey: Any;
  readonly #kind: KeyKind;

  constructor({ privateKey, publicKey }: KeyPair, kind: KeyKind) {
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

interface KeyPair {
  readonly privateKey: Uint8Array;
  /** The point, uncompressed: 65 bytes. */
  readonly publicKey: Uint8Array;
}

function readKey({ mnemonic, privateKey, coinType = 60 }: CosmosKey): KeyPair {
  // What cosmjs and the libraries beneath it say of a bad key may repeat parts of it.
  try {
    const bytes = privateKey === undefined ? deriveKey(mnemonic, kinds[coinType].path) : hexKey(privateKey);
    const { privkey, pubkey } = Secp256k1.makeKeypair(bytes);
    return { privateKey: privkey, publicKey: Secp256k1.uncompressPubkey(pubkey) };
  } catch {
    const expected =
      privateKey === undefined
        ? "the mnemonic is not 12, 15, 18, 21 or 24 English words with their checksum"
        : "the private key is not 64 hex digits of a secp256k1 key";
    throw new InputError(expected, { code: "KEY_INVALID" });
  }
}

function hexKey(text: string): Uint8Array {
  const hex = text.trim().replace(/^0x/i, "");
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error("not 32 bytes of hex");
  return Buffer.from(hex, "hex");
}

/** BIP-39 and BIP-32; cosmjs has the former as a promise only, and an account is made at once. */
function deriveKey(mnemonic: string, path: string): Uint8Array {
  const words = new EnglishMnemonic(mnemonic.trim().split(/\s+/).join(" ")).toString();
  const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
  return Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(path)).privkey;
}
