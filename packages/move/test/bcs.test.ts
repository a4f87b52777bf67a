import { bcs } from "@initia/initia.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { u64Max, type Account, type ScoreRow } from "@vipscore/core";
import { Answer, UnreadableAnswer } from "@vipscore/core/wire";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import {
  encodeAddress,
  encodeAddresses,
  encodeAddressOption,
  encodeScores,
  encodeU16,
  encodeU64,
  readBcs,
  type BcsReader,
} from "../src/bcs.ts";
import { addressHex } from "../src/moveAddress.ts";

const seed = fuzzSeed();

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const account = fc
  .tuple(fc.constantFrom(20, 32), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  // A 32-byte account never starts with 12 zero bytes: those are 20-byte accounts.
  .map(([length, bytes]) => `0x${length === 20 ? hex(bytes.slice(0, 20)) : `ff${hex(bytes.slice(1))}`}` as Account);
const row = fc.record({ account, score: fc.bigInt({ min: 0n, max: u64Max }) });

describe("encodes as initia.js does", () => {
  test("lists of rows", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 300 }), (rows: readonly ScoreRow[]) => {
        const addresses = rows.map((each) => `0x${addressHex(each.account)}`);
        expect(hex(encodeAddresses(rows.map((each) => each.account)))).toBe(
          bcs.vector(bcs.address()).serialize(addresses).toHex(),
        );
        const scores = rows.map((each) => each.score);
        expect(hex(encodeScores(rows))).toBe(bcs.vector(bcs.u64()).serialize(scores).toHex());
      }),
      { seed, numRuns: fuzzRuns(50) },
    );
  });

  test.each([0, 1, 127, 128, 16_383, 16_384])("a list of %i scores", (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({ account: "0x" as Account, score: BigInt(index) }));
    const scores = rows.map(({ score }) => score);
    expect(hex(encodeScores(rows))).toBe(bcs.vector(bcs.u64()).serialize(scores).toHex());
  });

  test("single values", () => {
    const one = `0x${"00".repeat(19)}01` as Account;
    expect(hex(encodeAddress(one))).toBe(bcs.address().serialize("0x1").toHex());
    expect(hex(encodeU64(u64Max))).toBe(bcs.u64().serialize(u64Max).toHex());
    expect(hex(encodeU16(1000))).toBe(bcs.u16().serialize(1000).toHex());
    expect(hex(encodeAddressOption(undefined))).toBe(bcs.option(bcs.address()).serialize(null).toHex());
    expect(hex(encodeAddressOption(one))).toBe(bcs.option(bcs.address()).serialize("0x1").toHex());
  });
});

test.each<[string, string, (from: BcsReader) => unknown]>([
  ["a u64 of seven bytes", "00".repeat(7), (from) => from.u64()],
  ["an address of 31 bytes", "00".repeat(31), (from) => from.address()],
  ["a bool of 2", "02", (from) => from.bool()],
  ["a length without end", "ff".repeat(6), (from) => from.length()],
  ["a length of nothing", "", (from) => from.length()],
  ["a bool and a byte", "0100", (from) => from.bool()],
])("%s is refused", (_, bytes, read) => {
  const answer = new Answer({ endpoint: "http://node", title: "/x" }, Buffer.from(bytes, "hex").toString("base64"));
  expect(() => readBcs(answer, "a value", read)).toThrow(UnreadableAnswer);
});
