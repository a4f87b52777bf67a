import fc from "fast-check";
import { expect, it } from "vitest";
import { formatBech32, type Account } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { bech32Text } from "./bech32Text.ts";

it("formats every address like the core", () => {
  const addresses = fc
    .constantFrom(20, 32)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Account);
  fc.assert(
    fc.property(addresses, (address) => {
      expect(bech32Text(address)).toBe(formatBech32(address));
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(300) },
  );
});

it("refuses what is not hex", () => {
  expect(() => bech32Text("0xzz")).toThrow(RangeError);
});
