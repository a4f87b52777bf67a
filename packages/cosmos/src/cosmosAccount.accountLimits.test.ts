import { expect, test } from "vitest";
import { accountLimits } from "./cosmosAccount.ts";

const size = { baseGas: 1n, baseBytes: 3, rowBytes: 4, documentRowBytes: 54, blockGas: 2n };
const limits = { baseGas: 1n, maxGas: 2n, baseBytes: 3, rowBytes: 4, maxBytes: 250_000 };

test("a key has the chain's limits, and so has a connection without an account", () => {
  expect(accountLimits(size, { canQueue: true })).toEqual(limits);
  expect(accountLimits(size, undefined)).toEqual(limits);
});

test("a device signs one transaction at a time, as large as its memory", () => {
  expect(accountLimits(size, { canQueue: false })).toEqual({ ...limits, maxInFlight: 1 });
  const device = { canQueue: false, maxDocumentBytes: 5_000 };
  const document = { baseBytes: 1_000, rowBytes: 54, maxBytes: 5_000 };
  expect(accountLimits(size, device)).toEqual({ ...limits, ...document, maxInFlight: 1 });
});

test("a transaction has at most 100 million gas, less if a block has less", () => {
  const most = [undefined, 99_999_999n, 100_000_001n].map((blockGas) =>
    accountLimits({ ...size, blockGas }, undefined),
  );
  expect(most.map(({ maxGas }) => maxGas)).toEqual([100_000_000n, 99_999_999n, 100_000_000n]);
});
