import { expect, test } from "vitest";
import { decodeAddress, decodeMoveAddress } from "./decodeAddress.ts";

test.each([
  ["init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz", "0xaaaa00000000000000000000000000000000aaaa"],
  ["INIT1424QQQQQQQQQQQQQQQQQQQQQQQQQP2424K28FZ", "0xaaaa00000000000000000000000000000000aaaa"],
  ["init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203", "0x00000000000000000000000000000000000000aa"],
  ["0xAAAA00000000000000000000000000000000aaaa", "0xaaaa00000000000000000000000000000000aaaa"],
  [`0x${"0".repeat(24)}${"ab".repeat(20)}`, `0x${"ab".repeat(20)}`],
  [`0x${"1".padStart(24, "0")}${"0".repeat(40)}`, `0x${"1".padStart(24, "0")}${"0".repeat(40)}`],
  [
    "init1qyyq79says4nyw2qga892hrrdfchslux3k2fhg4fkzmma3wv60dqp00c27",
    "0x01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da",
  ],
  ["init1ll6wnhknez7m9fuujxr8kur9tf85gwfwnz4k7q", "0xfff4e9ded3c8bdb2a79c91867b70655a4f44392e"],
  ["init1qqqqqqqqqqqqqqqqqqq0la8fmmfu30dj57wfrpnmwpj45n6y8yhqukr2ca", "0xfff4e9ded3c8bdb2a79c91867b70655a4f44392e"],
  [`0x${"ff".repeat(32)}`, `0x${"ff".repeat(32)}`],
])("%s is %s", (text, address) => {
  expect(decodeAddress(text)).toBe(address);
  expect(decodeMoveAddress(text)).toBe(address);
});

test.each([
  ["0x1", "0x0000000000000000000000000000000000000001"],
  ["0x0aA", "0x00000000000000000000000000000000000000aa"],
  [`0x1${"0".repeat(40)}`, `0x${"1".padStart(24, "0")}${"0".repeat(40)}`],
  [`0x${"f".repeat(63)}`, `0x0${"f".repeat(63)}`],
])("%s is %s in answers on Move, and a slip of a person", (text, address) => {
  expect(decodeMoveAddress(text)).toBe(address);
  expect(() => decodeAddress(text)).toThrow(TypeError);
});

test.each([
  "",
  "0x",
  "0Xaa",
  "nothex",
  "zz",
  "cafe",
  "f".repeat(40),
  `0x${"f".repeat(65)}`,
  " 0xaa",
  "init1",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fx",
  "Init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28f",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqbp2424k28fz",
  // Another chain, 19 bytes, a leftover bit after 32 bytes: each with a valid checksum.
  "cosmos1ll6wnhknez7m9fuujxr8kur9tf85gwfwa5494z",
  "init17n5aa57ghke208y3seahqe26fazrjtsfs69pe",
  "init1qyyq79says4nyw2qga892hrrdfchslux3k2fhg4fkzmma3wv60dpuemdhv",
])("%j is not an address", (text) => {
  expect(() => decodeAddress(text)).toThrow(TypeError);
  expect(() => decodeMoveAddress(text)).toThrow(TypeError);
});

test("any changed character is detected", () => {
  const address = "init1qyyq79says4nyw2qga892hrrdfchslux3k2fhg4fkzmma3wv60dqp00c27";
  let changes = 0;
  for (let index = 0; index < address.length; index += 1) {
    for (const character of "qpzry9x8gf2tvdw0s3jn54khce6mua7l") {
      if (character === address[index]) continue;
      const changed = address.slice(0, index) + character + address.slice(index + 1);
      expect(() => decodeAddress(changed)).toThrow(TypeError);
      changes += 1;
    }
  }
  expect(changes).toBeGreaterThan(1800);
});
