import fc from "fast-check";
import { expect, test } from "vitest";
import { u64Max } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { parseExact, stringifyExact } from "./contractReader.ts";

const seed = fuzzSeed();

test.each([0n, 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, u64Max - 1n, u64Max])(
  "%i is the same number on the wire",
  (score) => {
    expect(stringifyExact({ stage: 1n, scores: [["init1", score]] })).toBe(`{"stage":1,"scores":[["init1",${score}]]}`);
    expect(parseExact(`{"score":${score}}`)).toEqual({ score });
  },
);

test("values other than whole numbers do not change", () => {
  const text = '{"a":"18446744073709551615","b":1.5,"c":1e3,"d":null,"e":true,"f":[-7,[]]}';
  expect(parseExact(text)).toEqual({ a: "18446744073709551615", b: 1.5, c: 1000, d: null, e: true, f: [-7n, []] });
  expect(() => parseExact("<html>")).toThrow(SyntaxError);
  expect(stringifyExact({ a: "x", b: 1, c: undefined, d: null })).toBe('{"a":"x","b":1,"d":null}');
});

test("any u64 survives a round trip", () => {
  const numbers = fc.array(fc.bigInt({ min: 0n, max: u64Max }), { maxLength: 40 });
  fc.assert(
    fc.property(numbers, (list) => {
      expect(parseExact(stringifyExact(list) ?? "")).toEqual(list);
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});
