import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { decodeField, encodeFields } from "./openState.ts";

const seed = fuzzSeed();

test("a field is what was encoded, and the last of several counts", () => {
  const field = fc.tuple(fc.integer({ min: 1, max: 15 }), fc.uint8Array({ maxLength: 300 }));
  fc.assert(
    fc.property(fc.array(field, { maxLength: 8 }), fc.integer({ min: 1, max: 15 }), (fields, wanted) => {
      const last = fields.findLast(([number]) => number === wanted)?.[1] ?? new Uint8Array();
      expect(Buffer.from(decodeField(encodeFields(fields), wanted)).equals(last)).toBe(true);
    }),
    { seed, numRuns: fuzzRuns(300) },
  );
});

test("numbers are skipped", () => {
  // Field 1 is 300, 2 has 64 bits, 3 has 32 bits, 4 is "ab", 20 is 1.
  const fields = ["08ac02", "110102030405060708", "1d01020304", "22026162", "a00101"];
  expect(Buffer.from(decodeField(Buffer.from(fields.join(""), "hex"), 4)).toString()).toBe("ab");
});

test.each(["0a", "0a05616263", "0affffffffffffffffffff01", "0b", "1901"])("%s is not a message", (message) => {
  expect(() => decodeField(Buffer.from(message, "hex"), 1)).toThrow(/message|number|wire/);
});
