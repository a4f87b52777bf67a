import { secp256k1 } from "@noble/curves/secp256k1";
import { ripemd160 } from "@noble/hashes/legacy";
import { sha256 } from "@noble/hashes/sha2";
import { keccak_256 } from "@noble/hashes/sha3";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { formatBech32, parseAccount, type Account } from "@vipscore/core";
import { privateKeyOf, type AccountKey, type RemoteKey } from "@vipscore/core/keys";
import type { CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { encodeParts, encodeSignDoc, encodeSigned } from "./transactionBytes.ts";

/**
 * Creates an account from a key. It signs with `SIGN_MODE_DIRECT`: coin type 60 with ethsecp256k1, 118 with plain secp256k1. A
 * remote key is of coin type 60.
 *
 * @throws InputError `KEY_INVALID` for an invalid key or mnemonic; the message does not repeat it.
 * @example
 * const account = moveAccount({ mnemonic: process.env.MNEMONIC });
 */
export function keyAccount(key: AccountKey | RemoteKey): CosmosAccount {
  if ("signKeccak" in key) return new KeyAccount(keyKinds[60], key.publicKey, key.signKeccak);
  const kind = keyKinds[key.coinType ?? 60];
  const privateKey = privateKeyOf(key);
  return new KeyAccount(kind, secp256k1.getPublicKey(privateKey, true), (document) => {
    // Chains refuse the upper half of the curve's order.
    const signature = secp256k1.sign(kind.digest(document), privateKey, { lowS: true });
    return Promise.resolve(signature.toCompactRawBytes());
  });
}

class KeyAccount implements CosmosAccount {
  readonly address: string;
  readonly account: Account;
  readonly canQueue = true;
  readonly #publicKey: KeyIdentity["publicKey"];
  readonly #sign: (document: Uint8Array) => Promise<Uint8Array>;

  constructor(kind: KeyKind, point: Uint8Array, sign: (document: Uint8Array) => Promise<Uint8Array>) {
    const { address, account, publicKey } = keyIdentity(kind, point);
    this.address = address;
    this.account = account;
    this.#publicKey = publicKey;
    this.#sign = sign;
  }

  async signTransaction(transaction: UnsignedTransaction): Promise<Uint8Array> {
    const parts = encodeParts(transaction, { publicKey: this.#publicKey, mode: SignMode.SIGN_MODE_DIRECT });
    return encodeSigned(parts, await this.#sign(encodeSignDoc(parts, transaction)));
  }
}

type Point = InstanceType<typeof secp256k1.ProjectivePoint>;

/** One kind of key: how it derives addresses and signs. */
export interface KeyKind {
  /** The type of the public key on the chain; both have the fields of cosmos.crypto.secp256k1.PubKey. */
  readonly typeUrl: string;
  /** The 20 bytes of the address of a public key. */
  readonly addressBytes: (point: Point) => Uint8Array;
  readonly digest: (document: Uint8Array) => Uint8Array;
}

export const keyKinds: Readonly<Record<60 | 118, KeyKind>> = {
  60: {
    typeUrl: "/initia.crypto.v1beta1.ethsecp256k1.PubKey",
    // As on Ethereum: the uncompressed point without its leading byte.
    addressBytes: (point) => keccak_256(point.toRawBytes(false).subarray(1)).subarray(-20),
    digest: keccak_256,
  },
  118: {
    typeUrl: "/cosmos.crypto.secp256k1.PubKey",
    addressBytes: (point) => ripemd160(sha256(point.toRawBytes(true))),
    digest: sha256,
  },
};

/** A public key as the chain spells it, and its account. */
export interface KeyIdentity {
  /** The address in bech32, `init1…`. */
  readonly address: string;
  readonly account: Account;
  readonly publicKey: Any;
}

/** Returns the account of a public key, a point of secp256k1. Throws an Error if the bytes are not one. */
export function keyIdentity({ typeUrl, addressBytes }: KeyKind, publicKey: Uint8Array): KeyIdentity {
  const point = secp256k1.ProjectivePoint.fromHex(publicKey);
  const hex = Buffer.from(addressBytes(point)).toString("hex");
  const account = parseAccount(`0x${hex}`, { accountBytes: [20] });
  const value = PubKey.encode({ key: point.toRawBytes(true) }).finish();
  return { address: formatBech32(account), account, publicKey: { typeUrl, value } };
}
