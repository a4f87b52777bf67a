import { bcs } from "@initia/initia.js";
import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import {
  bcsAddress,
  bcsBytes,
  bcsList,
  bcsListSize,
  bcsRatio,
  bcsText,
  bcsU64,
  formatRatio,
  parseRatio,
} from "../src/bcs/bcsType.ts";

const ratios = ["0", "1", "0.05", "0.1", "0.000000000000000001", "0.255", "99999999999999999999.999999999999999999"];

test.each(ratios)("the decimal number %s", (text) => {
  const value = parseRatio(text) ?? -1n;
  expect(formatRatio(value)).toBe(text);
  expect(bcsRatio.encode(value).toString("hex")).toBe(bcs.bigdecimal().serialize(text).toHex());
  expect(bcsRatio.decode(bcsRatio.encode(value))).toBe(value);
  expect(bcsRatio.show(value)).toBe(text);
});

test.each(["", ".", "1.", ".5", "-1", "1e3", "0x1", "1,5", "0.1234567890123456789", " 1", "1".repeat(21)])(
  "the text %j is not a decimal number",
  (text) => expect(parseRatio(text)).toBeUndefined(),
);

test.each(["1.10", "1.000"])("zeros at the end of %s are dropped", (text) => {
  expect(parseRatio(text)).toBe(parseRatio(text.replace(/\.?0+$/, "")));
});

test.each(["", "0x1::vip_score", "é€𝄞", "a".repeat(127), "b".repeat(128), "c".repeat(20_000)])("a text", (text) => {
  expect(bcsText.encode(text).toString("hex")).toBe(bcs.string().serialize(text).toHex());
  expect(bcsText.decode(bcsText.encode(text))).toBe(text);
});

test.each([0n, 1n, 2n ** 53n + 1n, 2n ** 64n - 1n])("the u64 %s", (value) => {
  expect(bcsU64.encode(value).toString("hex")).toBe(bcs.u64().serialize(value).toHex());
  expect(bcsU64.decode(bcsU64.encode(value))).toBe(value);
});

test.each([
  "0x8cad25ec80a10522c258e2f59abf0006c9445d1b",
  `0x${"ab".repeat(32)}`,
  "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
])("the address %s", (text) => {
  const account = parseAccount(text, { accountBytes: [20, 32] });
  expect(bcsAddress.encode(account).toString("hex")).toBe(bcs.address().serialize(text).toHex());
  expect(bcsAddress.decode(bcsAddress.encode(account))).toBe(account);
});

const numbers = bcsList(bcsU64, () => 8);
const hash = bcs.vector(bcs.u8());
const proofs = bcsList(
  bcsList(bcsBytes, () => 33),
  (rest) => bcsListSize(rest, 33),
);

test.each([0, 1, 3, 128])("a list of %i", (length) => {
  const values = Array.from({ length }, (_, index) => BigInt(index));
  expect(numbers.encode(values).toString("hex")).toBe(bcs.vector(bcs.u64()).serialize(values).toHex());
  expect(numbers.decode(numbers.encode(values))).toEqual(values);
  const lists = values.map((value) =>
    Array.from({ length: Number(value % 3n) }, () => Buffer.alloc(32, Number(value))),
  );
  expect(proofs.encode(lists).toString("hex")).toBe(bcs.vector(bcs.vector(hash)).serialize(lists).toHex());
  expect(proofs.decode(proofs.encode(lists))).toEqual(lists);
});

test.each([
  ["an address of 31 bytes", bcsAddress, "11".repeat(31)],
  ["a u64 of 7 bytes", bcsU64, "11".repeat(7)],
  ["a text without its length", bcsText, ""],
  ["a text that is too short", bcsText, "0261"],
  ["a text with more after it", bcsText, "016161"],
  ["a length in a longer form", bcsText, "818000"],
  ["a length without an end", bcsText, "ff".repeat(40)],
  ["a text that is not UTF-8", bcsText, "01ff"],
  ["a decimal number with a zero at its end", bcsRatio, "020100"],
  ["a list without its length", numbers, ""],
  ["a list that is too short", numbers, `02${"11".repeat(8)}`],
  ["a list with more after it", numbers, `01${"11".repeat(16)}`],
  ["a list with part of a value", numbers, `01${"11".repeat(7)}`],
  ["a list of a hash without its end", proofs, "010120"],
] as const)("%s is refused", (_, type, hex) => {
  expect(() => type.decode(Buffer.from(hex, "hex"))).toThrow();
});
