import { expect, test } from "vitest";
import { wrapLines } from "./wrapLines.ts";

const address = "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475";

test("wraps at words, below the text after the label; numbers keep what they count, codes and addresses stay whole", () => {
  const text = `✓ control       owner: ${address}; total 1,200,000 points of 2,500 accounts   [VERIFY_MISMATCH, exit 3]`;
  for (const columns of [60, 80, 120]) {
    const lines = wrapLines(text, columns).split("\n");
    expect(lines.every(({ length }) => length <= columns)).toBe(true);
    expect(lines.slice(1).every((line) => /^ {16}\S/.test(line))).toBe(true);
    for (const whole of [`${address};`, "1,200,000 points", "2,500 accounts", "[VERIFY_MISMATCH, exit 3]"]) {
      expect(lines.some((line) => line.includes(whole))).toBe(true);
    }
    expect(lines.join(" ").split(/\s+/)).toEqual(text.split(/\s+/));
  }
});

test("a word that is too long gets a line of its own; styles take no room; without a terminal nothing changes", () => {
  expect(wrapLines(`see ${address} now`, 20)).toBe(`see\n  ${address}\n  now`);
  const styled = `\u001b[32mverified\u001b[39m  ${"a".repeat(10)}`;
  expect(wrapLines(styled, 20)).toBe(styled);
  expect(wrapLines("a b".repeat(100), Infinity)).toBe("a b".repeat(100));
});
