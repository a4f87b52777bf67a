import fc from "fast-check";
import { decodeAbiParameters, encodeAbiParameters, parseAbiItem, type AbiEvent, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { valueReader } from "./evmValues.ts";

const seed = fuzzSeed();
const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
const wordTypes = fc.oneof(
  fc.constantFrom("address", "bool"),
  bits.map((size) => `uint${size}`),
  bits.map((size) => `int${size}`),
  fc.integer({ min: 1, max: 32 }).map((size) => `bytes${size}`),
);
const types = fc.oneof({ weight: 5, arbitrary: wordTypes }, fc.constantFrom("string", "bytes", "uint256[]"));
/** Words of random bytes, and those that Solidity writes: small, negative, true. */
const words = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  fc.bigInt(0n, 2n ** 128n).map((value) => value.toString(16).padStart(64, "0")),
  fc.bigInt(1n, 2n ** 80n).map((value) => BigInt.asUintN(256, -value).toString(16)),
  fc.constantFrom(0n, 1n, 2n, 255n, 256n, 2n ** 53n, 10n ** 38n).map((value) => value.toString(16).padStart(64, "0")),
);

function eventOf(parameters: readonly (readonly [type: string, isIndexed: boolean])[]): AbiEvent {
  const inputs = parameters.map(([type, isIndexed], index) => `${type}${isIndexed ? " indexed" : ""} p${index}`);
  return parseAbiItem(`event Found(${inputs.join(", ")})`) as AbiEvent;
}

/** The values by viem alone, as a column has them; undefined where viem or the columns refuse one. */
function byViem(event: AbiEvent, topics: readonly Hex[], data: Hex): readonly unknown[] | undefined {
  const plain = event.inputs.filter(({ indexed }) => indexed !== true);
  try {
    const ofData = plain.length === 0 ? [] : [...decodeAbiParameters(plain, data)];
    let topic = 0;
    return event.inputs.map((input) => {
      if (input.indexed !== true) return columnValue(ofData.shift());
      topic += 1;
      const isHashed = /^(?:string|bytes)$|\]$/.test(input.type);
      return columnValue(decodeAbiParameters([isHashed ? { type: "bytes32" } : input], topics[topic] ?? "0x")[0]);
    });
  } catch {
    return undefined;
  }
}

function columnValue(value: unknown): unknown {
  if (typeof value === "number") return BigInt(value);
  if (typeof value === "bigint" && (value >= 10n ** 38n || value <= -(10n ** 38n))) throw new RangeError("38 digits");
  if (typeof value === "string" && value.startsWith("0x")) return value.toLowerCase();
  return Array.isArray(value) ? JSON.stringify(value.map(String)) : value;
}

function readOurs(event: AbiEvent, topics: readonly Hex[], data: Hex): readonly unknown[] | undefined {
  try {
    return valueReader(event.inputs)({ topics, data }, () => "here");
  } catch (error) {
    expect(error).toMatchObject({ code: "SOURCE_INVALID" });
    return undefined;
  }
}

describe("the values of an event are viem's", () => {
  const parameters = fc.uniqueArray(fc.tuple(types, fc.boolean()), { maxLength: 6, selector: () => ({}) });

  test("for any words, also those that Solidity does not write, too few and too many", () => {
    fc.assert(
      fc.property(
        parameters,
        fc.array(words, { maxLength: 10 }),
        fc.array(words, { maxLength: 8 }),
        (named, found, more) => {
          let indexed = 0;
          const event = eventOf(named.map(([type, isIndexed]) => [type, isIndexed && ++indexed <= 3]));
          const topics = ["00".repeat(32), ...found].map((word): Hex => `0x${word}`);
          const data: Hex = `0x${more.join("")}`;
          expect(readOurs(event, topics, data)).toEqual(byViem(event, topics, data));
        },
      ),
      { seed, numRuns: fuzzRuns(2000) },
    );
  });

  test("for values that were encoded", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.constant("0xAbC")),
        fc.bigInt(-(2n ** 100n), 2n ** 100n),
        fc.boolean(),
        (text, amount, flag) => {
          const event = eventOf([
            ["int256", false],
            ["string", false],
            ["bool", false],
          ]);
          const data = encodeAbiParameters(event.inputs, [amount, text, flag]);
          expect(readOurs(event, [`0x${"00".repeat(32)}`], data)).toEqual([amount, text, flag]);
        },
      ),
      { seed, numRuns: fuzzRuns(200) },
    );
  });
});
