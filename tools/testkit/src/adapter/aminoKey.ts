import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { privateKeyOf, type AccountKey } from "@vipscore/core/keys";
import type { AminoSigner } from "@vipscore/cosmos";

/** Signs amino JSON with a key in memory, as a hardware wallet's Ethereum app (coin type 60) or Cosmos app (118) does. */
export function aminoKey(key: AccountKey): AminoSigner {
  const privateKey = privateKeyOf(key);
  const coinType = key.coinType ?? 60;
  const digest = coinType === 60 ? ethereumDigest : sha256;
  return {
    coinType,
    publicKey: secp256k1.getPublicKey(privateKey, true),
    signAmino: (document) =>
      Promise.resolve(secp256k1.sign(digest(document), privateKey, { lowS: true }).toCompactRawBytes()),
  };
}

function ethereumDigest(document: Uint8Array): Uint8Array {
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${document.length}`), document]));
}

function sha256(document: Uint8Array): Uint8Array {
  return createHash("sha256").update(document).digest();
}
