import { keccak256, Ripemd160, Secp256k1, Sha256, sha256 } from "@cosmjs/crypto";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import type { Any } from "cosmjs-types/google/protobuf/any";
import { parseAccount, type Account } from "@vipscore/core";
import { wasmAccountBytes } from "./wasmAddress.ts";

/** How one kind of key derives addresses and signs. */
export interface KeyKind {
  /** The type of the public key on the chain; both have the fields of cosmos.crypto.secp256k1.PubKey. */
  readonly typeUrl: string;
  /** The 20 bytes of the address. */
  readonly addressBytes: (uncompressed: Uint8Array) => Uint8Array;
  /** The digest of a document to sign. */
  readonly digest: (document: Uint8Array) => Uint8Array;
}

/** The two kinds of keys, by coin type. */
export const keyKinds: Readonly<Record<60 | 118, KeyKind>> = {
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

/** A public key as the chain spells it, and its account. */
export interface KeyIdentity {
  readonly account: Account;
  readonly publicKey: Any;
}

/** Returns the account of a public key, a compressed point of 33 bytes. */
export function identityOf({ typeUrl, addressBytes }: KeyKind, point: Uint8Array): KeyIdentity {
  const hex = Buffer.from(addressBytes(Secp256k1.uncompressPubkey(point))).toString("hex");
  const account = parseAccount(`0x${hex}`, { accountBytes: wasmAccountBytes });
  return { account, publicKey: { typeUrl, value: PubKey.encode({ key: point }).finish() } };
}
