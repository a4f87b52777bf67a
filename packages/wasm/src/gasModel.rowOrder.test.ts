import fc from "fast-check";
import { expect, test } from "vitest";
import type { Account } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { orderKey, packRows, RowOrder, sortByAddress } from "./gasModel.ts";

const seed = fuzzSeed();
const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => toAccount(array));
const toAccount = (bytes: Uint8Array): Account => `0x${Buffer.from(bytes).toString("hex")}` as Account;
const bytesOf = (account: Account): Buffer => Buffer.from(account.slice(2), "hex");
const accounts = fc.uniqueArray(fc.oneof(hex(20), hex(32)), { maxLength: 60 });

test("rows are sorted and counted in the order of the bytes of their addresses", () => {
  fc.assert(
    fc.property(accounts, (list) => {
      const rows = list.map((account) => ({ account, score: 1n }));
      const sorted = sortByAddress(rows).map(({ account }) => account);
      expect(sorted).toEqual(list.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b))));
      const order = new RowOrder(new Map(list.map((account) => [account, 1n])));
      expect(order.length).toBe(list.length);
      for (const [index, account] of sorted.entries()) {
        expect(order.rowsBefore(orderKey(account))).toBeLessThanOrEqual(index);
        expect(order.rowsBefore(orderKey(account) + 1)).toBeGreaterThan(index);
      }
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});

test("accounts with a common prefix are distinguished, and the shorter one comes first", () => {
  const long = toAccount(Buffer.alloc(32, 1));
  const short = [3, 7, 9].map((byte) => toAccount(Buffer.alloc(20, 1).fill(byte, 19)));
  const sorted = [toAccount(Buffer.alloc(20, 1)), long, ...short];
  const rows = sorted.toReversed().map((account) => ({ account, score: 0n }));
  expect(sortByAddress(rows).map(({ account }) => account)).toEqual(sorted);
});

test("the bytes of a packed row", () => {
  const row = { account: toAccount(Buffer.alloc(20, 0xab)), score: 2n ** 64n - 2n };
  expect(packRows([row, { account: toAccount(Buffer.alloc(32, 1)), score: 258n }]).toString("hex")).toBe(
    `14${"ab".repeat(20)}fffffffffffffffe20${"01".repeat(32)}0000000000000102`,
  );
});
