import { test, expect as vitestExpect } from "vitest";
import { expect, ExpectationError } from "./expect.ts";

type Check = () => void;

const passing: readonly Check[] = [
  () => expect(Number.NaN).toBe(Number.NaN),
  () => expect({ a: [1n, { b: undefined }] }).toEqual({ a: [1n, {}] }),
  () => expect({ a: 1 }).toDiffer({ a: 2 }),
  () => expect({ a: [{ b: 1, c: 2 }], d: 3 }).toMatchObject({ a: [{ b: 1 }] }),
  () => expect(new Map([[1, { a: 1 }]])).toEqual(new Map([[1, { a: 1 }]])),
  () => expect([1, 2]).toHaveLength(2),
  () => expect("total 12").toMatch(/\b12\b/),
  () => expect(() => JSON.parse("{")).toThrow({ name: "SyntaxError" }),
];

const failing: readonly Check[] = [
  () => expect(0).toBe(-0),
  () => expect({ a: 1 }).toEqual({}),
  () => expect({}).toEqual({ a: 1 }),
  () => expect([1, 2]).toEqual([1]),
  () => expect({ 0: 1, length: 1 }).toEqual([1]),
  () => expect({ a: 1 }).toDiffer({ a: 1 }),
  () => expect({ a: [{ b: 1 }, { b: 2 }] }).toMatchObject({ a: [{ b: 1 }] }),
  () => expect({ a: 1 }).toMatchObject({ b: undefined, a: 2 }),
  () => expect(undefined).toMatchObject({}),
  () => expect(new Map([[1, 1]])).toEqual(new Map([[1, 2]])),
  () => expect(new Uint8Array([1])).toEqual(new Uint8Array([2])),
  () => expect([1]).toHaveLength(2),
  () => expect(12).toMatch(/12/),
  () => expect(() => 1).toThrow({}),
  () => expect(() => JSON.parse("{")).toThrow({ name: "TypeError" }),
];

test.each(passing)("passes %#: %s", (check) => {
  vitestExpect(check).not.toThrow();
});

test.each(failing)("fails %#: %s", (check) => {
  vitestExpect(check).toThrow(ExpectationError);
});

test("a promise must fail, with these properties", async () => {
  await expect(Promise.reject(new TypeError("no"))).toReject({ name: "TypeError", message: "no" });
  await vitestExpect(expect(Promise.resolve(1)).toReject({})).rejects.toThrow(ExpectationError);
  await vitestExpect(expect(Promise.reject(new TypeError("no"))).toReject({ name: "Error" })).rejects.toThrow(
    ExpectationError,
  );
});

test("an error names the value, what was expected and what was seen", () => {
  vitestExpect(() => expect({ total: 5n }, "after a refused call").toEqual({ total: 4n })).toThrow(
    /\bcall\b.*\b4n\b.*\b5n\b/,
  );
});
