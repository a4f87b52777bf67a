import { inspect } from "node:util";
import { expect, test } from "vitest";
import { privateKeyOf } from "./privateKeyOf.ts";

/** The mnemonic that every wallet's test vectors begin with; public, never for real funds. */
const mnemonic = `${"abandon ".repeat(11)}about`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("a mnemonic gives the same key as in other wallets on the same path", () => {
  // The first account of this mnemonic in MetaMask, 0x9858EfFD232B4033E47d90003D41EC34EcaEda94.
  expect(hex(privateKeyOf({ mnemonic }))).toBe("1ab42cc412b618bdea3a599e3c9bae199ebf030895b039e9db1e30dafb12b727");
  // In Keplr, cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4.
  expect(hex(privateKeyOf({ mnemonic, coinType: 118 }))).toBe(
    "c4a48e2fce1481cd3294b4490f6678090ea98d3d0e5cd984558ab0968741b104",
  );
  expect(privateKeyOf({ mnemonic: `\n ${mnemonic.replaceAll(" ", "\t ")}\n` })).toEqual(privateKeyOf({ mnemonic }));
});

test("a key in hex is read with or without 0x, for any coin type", () => {
  const privateKey = "0A".repeat(32);
  for (const text of [privateKey, `0x${privateKey}`, `0X${privateKey}`, ` ${privateKey}\n`]) {
    expect(hex(privateKeyOf({ privateKey: text, coinType: 118 }))).toBe(privateKey.toLowerCase());
  }
});

test.each([
  ["a word too few", { mnemonic: mnemonic.slice("abandon ".length) }],
  ["a wrong checksum", { mnemonic: "abandon ".repeat(12) }],
  ["a word that is not in the list", { mnemonic: mnemonic.replace("about", "abouts") }],
  ["capitals", { mnemonic: mnemonic.toUpperCase() }],
  ["no word", { mnemonic: " " }],
  ["a digit too few", { privateKey: "a".repeat(63) }],
  ["any other text", { privateKey: "0xnot-a-key-but-something-secret" }],
  ["the zero key", { privateKey: "00".repeat(32) }],
  ["the order of the curve", { privateKey: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141" }],
])("%s: KEY_INVALID, and the text is not repeated", (_, key) => {
  const text = Object.values(key)[0]?.trim() ?? "";
  let thrown: unknown;
  try {
    privateKeyOf(key);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "KEY_INVALID" });
  if (text !== "") expect(inspect(thrown)).not.toContain(text);
});

test.each([{ mnemonic: `"${mnemonic}"` }, { privateKey: `'0x${"0a".repeat(32)}'` }])(
  "quotes of a .env file are named, and their text is not repeated",
  (key) => {
    expect(() => privateKeyOf(key)).toThrow(
      expect.objectContaining({ code: "KEY_INVALID", metaMessages: [expect.stringMatching(/\bquotes\b/)] }),
    );
  },
);
