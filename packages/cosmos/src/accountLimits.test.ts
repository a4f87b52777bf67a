import { expect, test } from "vitest";
import { accountLimits } from "./accountLimits.ts";

const limits = { baseGas: 1n, maxGas: 2n, baseBytes: 3, rowBytes: 4, maxBytes: 250_000 };
const document = { baseBytes: 1_000, rowBytes: 54 };

test("a key has the chain's limits, and so has a connection without an account", () => {
  expect(accountLimits(limits, { canQueue: true }, document)).toBe(limits);
  expect(accountLimits(limits, undefined, document)).toBe(limits);
});

test("a device signs one transaction at a time, as large as its memory", () => {
  expect(accountLimits(limits, { canQueue: false }, document)).toEqual({ ...limits, maxInFlight: 1 });
  const device = { canQueue: false, maxDocumentBytes: 5_000 };
  expect(accountLimits(limits, device, document)).toEqual({ ...limits, ...document, maxBytes: 5_000, maxInFlight: 1 });
});
