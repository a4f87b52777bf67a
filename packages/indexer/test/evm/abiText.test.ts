import { createHash } from "node:crypto";
import fc from "fast-check";
import { encodeAbiParameters, stringToHex } from "viem";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { decodeName, decodeUri } from "../../src/chain/evm/abiText.ts";

const seed = fuzzSeed();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const encode = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);

test("any text without control characters survives a round trip", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !/[\p{Cc}\p{Cs}\uFFFD]/u.test(text));
  fc.assert(
    fc.property(texts, (text) => {
      expect(decodeUri(encode(text), 65_536)).toEqual({ text, lost: undefined });
      expect(decodeName(encode(text))).toBe(text.trim());
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});

test("no answer makes it fail or return a text that a database does not accept", () => {
  const answers = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(fc.nat(70), fc.nat(300), fc.uint8Array({ maxLength: 200 })).map(([offset, length, bytes]) => {
      const head = Buffer.alloc(64);
      head.writeUInt32BE(offset, 28);
      head.writeUInt32BE(length, 60);
      return Buffer.concat([head, bytes]);
    }),
  );
  fc.assert(
    fc.property(answers, (bytes) => {
      const answer = `0x${Buffer.from(bytes).toString("hex")}`;
      for (const text of [decodeName(answer), decodeUri(answer, 65_536).text]) {
        expect(text).not.toContain("\0");
        expect(text).not.toMatch(/\p{Cs}/u);
      }
    }),
    { seed, numRuns: fuzzRuns(1_000) },
  );
});

test.each([
  ["nothing", undefined, ""],
  ["no bytes", "0x", ""],
  ["half a word", `0x${"41".repeat(16)}`, ""],
  ["bytes32", stringToHex("Old Cats", { size: 32 }), "Old Cats"],
  ["bytes32 without an end", `0x${"41".repeat(32)}`, "A".repeat(32)],
  ["a string without its padding", encode("Cats").slice(0, 2 + 2 * 68), "Cats"],
  ["a string that is cut", encode("Cats").slice(0, 2 + 2 * 66), ""],
  ["a name of 1,024 bytes", encode("🐈".repeat(256)), "🐈".repeat(256)],
  ["a name of 1,028 bytes", encode("🐈".repeat(257)), `sha256:${sha256("🐈".repeat(257))};bytes=1028`],
  ["control characters and white space", encode(" Cats\r\n\0\u009f "), "Cats"],
])("the name in %s", (_, answer, name) => {
  expect(decodeName(answer)).toBe(name);
});

test.each([
  ["65,536 bytes", encode("u".repeat(65_536)), "u".repeat(65_536)],
  ["65,537 bytes", encode("u".repeat(65_537)), `sha256:${sha256("u".repeat(65_537))};bytes=65537`],
  ["a NUL", encode("ipfs://\0"), "ipfs://\uFFFD"],
  ["30,000 NULs", encode("\0".repeat(30_000)), `sha256:${sha256("\0".repeat(30_000))};bytes=30000`],
  ["invalid UTF-8", encodeAbiParameters([{ type: "bytes" }], ["0x61ff62"]), "a\uFFFDb"],
  ["a byte order mark", encode("\uFEFFipfs://x"), "\uFEFFipfs://x"],
  [
    "line breaks, as in JSON of a data: URI",
    encode('data:application/json,{\n"a":1}'),
    'data:application/json,{\n"a":1}',
  ],
  ["bytes32", stringToHex("ipfs://x", { size: 32 }), ""],
])("the URI in %s", (_, answer, uri) => {
  expect(decodeUri(answer, 65_536).text).toBe(uri);
});
