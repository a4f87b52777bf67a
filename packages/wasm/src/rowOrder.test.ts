import fc from "fast-check";
import { expect, test } from "vitest";
import type { Account } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { RowOrder, sortByAddress, storedBytes } from "./rowOrder.ts";
import { addressOf } from "./wasmAddress.ts";

const seed = fuzzSeed();
const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => toAccount(array));
const toAccount = (bytes: Uint8Array): Account => `0x${Buffer.from(bytes).toString("hex")}` as Account;
const accounts = fc.uniqueArray(fc.oneof(hex(20), hex(32)), { maxLength: 60 });

test("rows are sorted and counted in the order of their address texts", () => {
  fc.assert(
    fc.property(accounts, (list) => {
      const rows = list.map((account) => ({ account, score: 1n }));
      const sorted = sortByAddress(rows);
      expect(sorted.map(({ account }) => addressOf(account))).toEqual(list.map(addressOf).sort());
      const order = new RowOrder(new Map(sorted.map(({ account, score }) => [account, score])));
      expect(order.length).toBe(list.length);
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});

test("accounts with a common prefix are distinguished", () => {
  const rows = [9, 3, 7].map((byte) => ({ account: toAccount(Buffer.alloc(20, 1).fill(byte, 19)), score: 0n }));
  const texts = sortByAddress(rows).map(({ account }) => addressOf(account));
  expect(texts).toEqual([...texts].sort());
});

test("the bytes of a stored row", () => {
  const short = toAccount(Buffer.alloc(20, 1));
  expect([0n, 127n, 128n, 2n ** 64n - 1n].map((score) => storedBytes({ account: short, score }))).toEqual([
    22, 22, 23, 31,
  ]);
  expect(storedBytes({ account: toAccount(Buffer.alloc(32, 1)), score: 1n })).toBe(35);
});
