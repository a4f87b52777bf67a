import { expect, test } from "vitest";
import { openKeystore } from "./keystore.ts";

const privateKey = `0x${"7a28b5ba57c53603".repeat(4)}` as const;
const password = "pässword 🔑";

// Encrypted by ox.
const cipher = "aes-128-ctr";
const pbkdf2 = {
  cipher,
  ciphertext: "a874c3f0c4dcf253f22048e59a6b24c583f2a901ecfb937f61d7a31e26642969",
  cipherparams: { iv: "9fbef23aa28c47b997478ade36d0fa7a" },
  kdf: "pbkdf2",
  kdfparams: { c: 10, salt: "fc898a7f281a04897ec74f6a39b263368f271f09c84e8ab91f6e1af6b4c75d3a" },
  mac: "961948689bd2cde8afb07fdd93d2bc9a447180f95ef7174d459f546969af968c",
};
const scrypt = {
  cipher,
  ciphertext: "32a9e04958e23d8afa25a8cc3c90173fef4a49616e26871a7f4834ecd955a288",
  cipherparams: { iv: "f1228d5e8b5c64e79a62697f039ed77b" },
  kdf: "scrypt",
  kdfparams: { n: 16, p: 2, r: 8, salt: "7deef74aa012bf8e0fe600c609bafcc413172d1108c25784bc5cafb72c75a2ad" },
  mac: "712c74f01d9df8b1777808eb4469dd7adbd59317c8c9d024bef309143f40f010",
};
const scryptOfOneBlock = {
  cipher,
  ciphertext: "f8d3a9ea9d1722dec82a32d1a4ad43392982f7f61b0db61feb760ee3cd9f9194",
  cipherparams: { iv: "a44ffde0d4d7def5105827543121d324" },
  kdf: "scrypt",
  kdfparams: { n: 262_144, p: 1, r: 1, salt: "fda1d1af57e9c63cf6780a1da5416af1eeeb841c652d6cfb67369e49da198e81" },
  mac: "661f2e117e19e1e9df276c17a94208ea9d33b584e3cbdaa30760ef32143a80e8",
};

const open = (crypto: object) => {
  const decrypt = openKeystore({ version: 3, crypto });
  if (decrypt === undefined) throw new Error("not a keystore");
  return decrypt;
};

test.each(Object.entries({ pbkdf2, scrypt, scryptOfOneBlock }))(
  "decrypts what another program encrypted: %s",
  (_, crypto) => {
    expect(open(crypto)(password)).toBe(privateKey);
    expect(open({ ...crypto, mac: crypto.mac.toUpperCase() })(password)).toBe(privateKey);
    expect(() => open(crypto)(`${password}.`)).toThrow(Error);
    const damaged = crypto.ciphertext.replace(/^../, (byte) => (byte === "00" ? "01" : "00"));
    expect(() => open({ ...crypto, ciphertext: damaged })(password)).toThrow(Error);
  },
);

const file = { version: 3, crypto: pbkdf2 };
const with0x = {
  ...pbkdf2,
  ciphertext: `0x${pbkdf2.ciphertext}`,
  cipherparams: { iv: `0X${pbkdf2.cipherparams.iv.toUpperCase()}` },
  kdfparams: { ...pbkdf2.kdfparams, salt: `0x${pbkdf2.kdfparams.salt}` },
  mac: `0x${pbkdf2.mac}`,
};

test.each([
  ["Crypto", { version: 3, Crypto: pbkdf2 }],
  ["the version as text", { version: "3", crypto: pbkdf2 }],
  ["an address in capitals", { address: "29F566660FE00868ED0BBE73959571CE3032BBCD", ...file }],
  ["0x before hex digits", { version: 3, crypto: with0x }],
])("reads older spellings: %s", (_, value) => {
  expect(openKeystore(value)?.(password)).toBe(privateKey);
});

test.each([
  ["text", "keystore"],
  ["an earlier version", { ...file, version: 1 }],
  ["no encryption", { ...file, crypto: undefined }],
  ["another cipher", { ...file, crypto: { ...file.crypto, cipher: "aes-128-cbc" } }],
  ["another derivation", { ...file, crypto: { ...file.crypto, kdf: "argon2" } }],
  ["no parameters", { ...file, crypto: { ...file.crypto, kdfparams: null } }],
  ["a checksum that is not text", { ...file, crypto: { ...file.crypto, mac: 1 } }],
])("is not a keystore: %s", (_, value) => {
  expect(openKeystore(value)).toBeUndefined();
});

test.each([
  { n: 2 ** 40, r: 8, p: 1, salt: "00" },
  { n: "many", r: 8, p: 1, salt: "00" },
  { r: 8, p: 1 },
])("parameters that cannot be used: %j", (kdfparams) => {
  expect(() => open({ ...pbkdf2, kdf: "scrypt", kdfparams })(password)).toThrow(Error);
});

test("another PRF is named, not called a wrong password", () => {
  const crypto = { ...pbkdf2, kdfparams: { ...pbkdf2.kdfparams, prf: "hmac-sha512" } };
  const named = { code: "KEY_INVALID", shortMessage: expect.stringContaining('"hmac-sha512"') as string };
  expect(() => open(crypto)(password)).toThrow(expect.objectContaining(named) as Error);
  expect(open({ ...pbkdf2, kdfparams: { ...pbkdf2.kdfparams, prf: "hmac-sha256" } })(password)).toBe(privateKey);
});

test.each(["29f566660fe00868ed0bbe73959571ce3032bbce", `0x${"00".repeat(20)}`])(
  "the key of another address than the file's, %s, is refused",
  (address) => {
    const decrypt = openKeystore({ ...file, address });
    const refused = {
      code: "KEY_INVALID",
      shortMessage: expect.stringContaining("29f566660fe00868ed0bbe73959571ce3032bbcd") as string,
    };
    expect(() => decrypt?.(password)).toThrow(expect.objectContaining(refused) as Error);
  },
);

test.each([undefined, null, "", "init1…"])("a file without an address that can be compared, %s, is read", (address) => {
  expect(openKeystore({ ...file, address })?.(password)).toBe(privateKey);
});
