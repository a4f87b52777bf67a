import { secp256k1 } from "@noble/curves/secp256k1";
import { expect, test } from "vitest";
import { keyIdentity, keyKinds } from "./keyAccount.ts";

/** The generator of the curve: the public key of the private key 1. */
const point = secp256k1.ProjectivePoint.BASE;

test.each([
  [60, "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"],
  [118, "0x751e76e8199196d454941c45d1b3a323f1433bd6"],
] as const)("coin type %i: the account of a point, compressed or not", (coinType, account) => {
  // Both are known from Ethereum and from Bitcoin, whose address of this point has the same digest.
  const { typeUrl } = keyKinds[coinType];
  for (const isCompressed of [true, false]) {
    const identity = keyIdentity(keyKinds[coinType], point.toRawBytes(isCompressed));
    expect(identity.account).toBe(account);
    expect(identity.publicKey.typeUrl).toBe(typeUrl);
    expect(Buffer.from(identity.publicKey.value).toString("hex")).toBe(`0a21${point.toHex(true)}`);
  }
});

test("bytes that are not a point are refused", () => {
  for (const kind of Object.values(keyKinds)) expect(() => keyIdentity(kind, new Uint8Array(33))).toThrow();
});
