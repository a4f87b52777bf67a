import { encodeFunctionResult, type Hex } from "viem";
import { expect, test } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { decodeRows } from "./vipScoreState.ts";

const one = "0x00000000000000000000000000000000000000aa";
const two = "0xffffffffffffffffffffffffffffffffffffffff";
const zero = "0x0000000000000000000000000000000000000000";

const shape = { account: 0, score: 1, key: 2 } as const;

function encode(rows: readonly (readonly [Hex, bigint, bigint])[]): Hex {
  const result = rows.map(([addr, amount, index]) => ({ addr, amount, index }));
  return encodeFunctionResult({ abi: vipScoreAbi, functionName: "getScores", result });
}

test("amounts above 2^53 and u64 max are exact", () => {
  const page = encode([
    [one, 2n ** 53n + 1n, 1n],
    [two, 2n ** 64n - 1n, 2n],
  ]);
  expect(decodeRows(page, shape)).toEqual([
    { account: one, score: 9_007_199_254_740_993n, key: 1n },
    { account: two, score: 18_446_744_073_709_551_615n, key: 2n },
  ]);
});

test("the first zero row ends the page, a score of 0 does not", () => {
  const page = encode([
    [one, 0n, 1n],
    [zero, 0n, 0n],
    [two, 5n, 3n],
  ]);
  expect(decodeRows(page, shape)).toEqual([{ account: one, score: 0n, key: 1n }]);
});

test("an empty page has no rows", () => {
  expect(decodeRows(encode([]), shape)).toEqual([]);
});

test.each([
  ["nothing", () => "0x"],
  ["one word", () => `0x${"0".repeat(64)}`],
  ["a page cut short", () => encode([[one, 1n, 1n]]).slice(0, -2)],
  ["an offset beyond the data", () => encode([[one, 1n, 1n]]).replace(/^0x.{64}/, `0x${"1".padStart(64, "0")}`)],
  ["an absurd length", () => encode([]).replace(/0{64}$/, "f".repeat(64))],
  ["an address above 20 bytes", () => encode([[one, 1n, 1n]]).replace(/0{62}aa/, `1${"0".repeat(61)}aa`)],
  ["an amount above u64", () => encode([[two, 1n, 1n]]).replace(/f{40}0/, `${"f".repeat(40)}1`)],
])("%s is not a page", (_, page) => {
  expect(decodeRows(page() as Hex, shape)).toBeUndefined();
});
