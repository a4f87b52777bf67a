import { secp256k1 } from "@noble/curves/secp256k1";
import { ripemd160 } from "@noble/hashes/legacy";
import { sha256 } from "@noble/hashes/sha2";
import { keccak_256 } from "@noble/hashes/sha3";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { formatBech32, parseAccount, type Account } from "@vipscore/core";

type Point = InstanceType<typeof secp256k1.ProjectivePoint>;

/** One kind of key: how it derives addresses and signs. */
export interface KeyKind {
  /** The type of the public key on the chain; both have the fields of cosmos.crypto.secp256k1.PubKey. */
  readonly typeUrl: string;
  /** The 20 bytes of the address of a public key. */
  readonly addressBytes: (point: Point) => Uint8Array;
  /** The digest of a document to sign. */
  readonly digest: (document: Uint8Array) => Uint8Array;
}

/** The two kinds of keys, by coin type. */
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
