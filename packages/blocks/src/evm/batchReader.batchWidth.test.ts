import { expect, test } from "vitest";
import { BatchWidth } from "./batchReader.ts";

test("batches become narrower, down to two calls, and wider again after eight answered ones", () => {
  const width = new BatchWidth(100);
  for (let turn = 0; turn < 10; turn += 1) width.tooMuch(width.value);
  expect(width.value).toBe(2);
  for (let turn = 0; turn < 8; turn += 1) width.answered(2);
  expect(width.value).toBe(4);
  for (let turn = 0; turn < 80; turn += 1) width.answered(width.value);
  expect(width.value).toBe(100);
});

test("a few calls with a large answer do not narrow other batches", () => {
  const width = new BatchWidth(100);
  width.tooMuch(3);
  expect(width.value).toBe(100);
});
