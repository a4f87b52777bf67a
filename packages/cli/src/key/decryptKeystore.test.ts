import * as Keystore from "ox/Keystore";
import { expect, test } from "vitest";
import { decryptKeystore, keystoreCrypto } from "./decryptKeystore.ts";

const privateKey = `0x${"7a28b5ba57c53603".repeat(4)}` as const;
const password = "pässword 🔑";

const derivations = {
  pbkdf2: Keystore.pbkdf2({ password, iterations: 10 }),
  scrypt: Keystore.scrypt({ password, n: 16, r: 8, p: 2 }),
  "scrypt with r = 1": Keystore.scrypt({ password, n: 262_144, r: 1, p: 1 }),
};

test.each(Object.entries(derivations))("decrypts what another program encrypted: %s", (_, [key, options]) => {
  const crypto = keystoreCrypto(JSON.parse(JSON.stringify(Keystore.encrypt(privateKey, key, options))));
  if (crypto === undefined) throw new Error("not a keystore");
  expect(decryptKeystore(crypto, password)).toBe(privateKey);
  expect(decryptKeystore({ ...crypto, mac: crypto.mac.toUpperCase() }, password)).toBe(privateKey);
  expect(() => decryptKeystore(crypto, `${password}.`)).toThrow(Error);
  const damaged = crypto.ciphertext.replace(/^../, (byte) => (byte === "00" ? "01" : "00"));
  expect(() => decryptKeystore({ ...crypto, ciphertext: damaged }, password)).toThrow(Error);
});

const [key, options] = derivations.pbkdf2;
const file = Keystore.encrypt(privateKey, key, options);

test.each([
  ["text", "keystore"],
  ["an earlier version", { ...file, version: 1 }],
  ["no encryption", { ...file, crypto: undefined }],
  ["another cipher", { ...file, crypto: { ...file.crypto, cipher: "aes-128-cbc" } }],
  ["another derivation", { ...file, crypto: { ...file.crypto, kdf: "argon2" } }],
  ["no parameters", { ...file, crypto: { ...file.crypto, kdfparams: null } }],
  ["a checksum that is not text", { ...file, crypto: { ...file.crypto, mac: 1 } }],
])("is not a keystore: %s", (_, value) => {
  expect(keystoreCrypto(value)).toBeUndefined();
});

test.each([
  { n: 2 ** 40, r: 8, p: 1, salt: "00" },
  { n: "many", r: 8, p: 1, salt: "00" },
  { r: 8, p: 1 },
])("parameters that cannot be used: %j", (kdfparams) => {
  const crypto = keystoreCrypto({ ...file, crypto: { ...file.crypto, kdf: "scrypt", kdfparams } });
  if (crypto === undefined) throw new Error("not a keystore");
  expect(() => decryptKeystore(crypto, password)).toThrow(Error);
});
