import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { countRewritten } from "./countRewritten.ts";
import type { Write } from "./soakChain.ts";

const writes: readonly Write[] = ["1 A", "2 A", "1 B", "3 B"].map((text) => {
  const [digit = "", hash = ""] = text.split(" ");
  return { account: parseAccount(`0x${digit.repeat(40)}`, { accountBytes: [20] }), hash };
});

test("an account written by two transactions counts unless one of them was in doubt", () => {
  expect(countRewritten(writes, new Set())).toBe(1);
  expect(countRewritten(writes, new Set(["A"]))).toBe(0);
  expect(countRewritten(writes, new Set(["B"]))).toBe(0);
  expect(countRewritten(writes, new Set(["C"]))).toBe(1);
});
