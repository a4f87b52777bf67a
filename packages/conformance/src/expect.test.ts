import { expect, test } from "vitest";
import { ExpectationError, expect as expectOf } from "./expect.ts";

type Check = () => void;

const passing: readonly Check[] = [
  () => expectOf(Number.NaN).toBe(Number.NaN),
  () => expectOf({ a: [1n, { b: undefined }] }).toEqual({ a: [1n, {}] }),
  () => expectOf({ a: 1 }).toDiffer({ a: 2 }),
  () => expectOf({ a: [{ b: 1, c: 2 }], d: 3 }).toMatchObject({ a: [{ b: 1 }] }),
  () => expectOf(new Map([[1, { a: 1 }]])).toEqual(new Map([[1, { a: 1 }]])),
  () => expectOf([1, 2]).toHaveLength(2),
  () => expectOf("total 12").toMatch(/\b12\b/),
];

const failing: readonly Check[] = [
  () => expectOf(0).toBe(-0),
  () => expectOf({ a: 1 }).toEqual({}),
  () => expectOf({}).toEqual({ a: 1 }),
  () => expectOf([1, 2]).toEqual([1]),
  () => expectOf({ 0: 1, length: 1 }).toEqual([1]),
  () => expectOf({ a: 1 }).toDiffer({ a: 1 }),
  () => expectOf({ a: [{ b: 1 }, { b: 2 }] }).toMatchObject({ a: [{ b: 1 }] }),
  () => expectOf({ a: 1 }).toMatchObject({ b: undefined, a: 2 }),
  () => expectOf(undefined).toMatchObject({}),
  () => expectOf(new Map([[1, 1]])).toEqual(new Map([[1, 2]])),
  () => expectOf(new Uint8Array([1])).toEqual(new Uint8Array([2])),
  () => expectOf([1]).toHaveLength(2),
  () => expectOf(12).toMatch(/12/),
];

test.each(passing)("passes %#: %s", (check) => {
  expect(check).not.toThrow();
});

test.each(failing)("fails %#: %s", (check) => {
  expect(check).toThrow(ExpectationError);
});

test("a promise must fail, with these properties", async () => {
  await expectOf(Promise.reject(new TypeError("no"))).toReject({ name: "TypeError", message: "no" });
  await expect(expectOf(Promise.resolve(1)).toReject({})).rejects.toThrow(ExpectationError);
  await expect(expectOf(Promise.reject(new TypeError("no"))).toReject({ name: "Error" })).rejects.toThrow(
    ExpectationError,
  );
});

test("an error names the value, what was expected and what was seen", () => {
  expect(() => expectOf({ total: 5n }, "after a refused call").toEqual({ total: 4n })).toThrow(
    /\bcall\b.*\b4n\b.*\b5n\b/,
  );
});
