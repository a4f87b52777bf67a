import { expect, test } from "vitest";
import {
  count,
  formatDuration,
  formatGas,
  formatTime,
  formatTimeBetween,
  formatTokens,
  group,
  shortAddress,
  shortDigest,
} from "./numbers.ts";

const gas18 = { symbol: "GAS", decimals: 18 };
const tokens = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(18, "0"));
};

test.each([
  ["0", "up", "0 GAS"],
  ["0.0711912", "up", "0.0712 GAS"],
  ["0.0711912", "down", "0.0711 GAS"],
  ["12.4567", "down", "12.4 GAS"],
  ["12.4567", "up", "12.5 GAS"],
  ["99.99", "up", "100 GAS"],
  ["9999.8", "down", "9,999 GAS"],
  ["0.000000000000000005", "up", "0.000000000000000005 GAS"],
] as const)("%s tokens rounded %s are %s", (amount, rounding, text) => {
  expect(formatTokens(tokens(amount), gas18, rounding)).toBe(text);
});

test("a token without decimals or symbol", () => {
  expect(formatTokens(1_234_567n, { symbol: "", decimals: 0 }, "up")).toBe("1,234,567");
});

test("gas, groups and short forms", () => {
  expect(formatGas(999_999n)).toBe("999,999");
  expect(formatGas(71_100_001n)).toBe("71.2 M");
  expect(formatGas(1_234_500_000n)).toBe("1,234.5 M");
  expect(group(18_446_744_073_709_551_615n)).toBe("18,446,744,073,709,551,615");
  expect(count(1, "row")).toBe("1 row");
  expect(count(2_000n, "row")).toBe("2,000 rows");
  expect(shortDigest(`3f2a${"0".repeat(58)}9c`)).toBe("3f2a…9c");
  expect(shortAddress("0x1F00000000000000000000000000000000000d0E2")).toBe("0x1F00…d0E2");
});

test("times in UTC, to the minute", () => {
  expect(formatTime(new Date("2026-11-24T10:06:59.999Z"))).toBe("2026-11-24 10:06 UTC");
});

test.each([
  [0n, "0 s"],
  [45n, "45 s"],
  [60n, "1 min"],
  [119n, "1 min"],
  [3_600n, "1 h"],
  [3_599n, "59 min"],
  [90_061n, "1 d 1 h"],
  [86_460n, "1 d"],
  [273_600n, "3 d 4 h"],
])("%d seconds: %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("the time between two moments, in either order", () => {
  const moments = [new Date("2026-11-21T06:00:00Z"), new Date("2026-11-24T10:00:00.900Z")] as const;
  expect(formatTimeBetween(moments[0], moments[1])).toBe("3 d 4 h");
  expect(formatTimeBetween(moments[1], moments[0])).toBe("3 d 4 h");
});
