import { expect, test } from "vitest";
import { findRepeatedKey } from "./jsonScanner.ts";

test.each([
  [`{"a":1,"a":2}`, "a"],
  [String.raw`{"a":1,"\u0061":2}`, "a"],
  [`{"x":[{"b":{},"c":"}","b" :1}]}`, "b"],
  [`{"score":1,"Score":2}`, "Score"],
  [`{"score":1,"\u017fcore":2}`, "\u017fcore"],
  [String.raw`{"\"a":1,"x":"{","\"a":1}`, '"a'],
])("finds the key of %s", (text, key) => {
  expect(findRepeatedKey(text)).toBe(key);
});

test.each([
  `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`,
  String.raw`{"a":"\"a\":","b":"a"}`,
  String.raw`{"a\\":1,"a":2,"\\a":3}`,
  `["a","a",{"a":"a"},"a"]`,
  `"a"`,
])("finds none in %s", (text) => {
  expect(findRepeatedKey(text)).toBeUndefined();
});

test("reads a key and a value of ten million characters", () => {
  const long = "x".repeat(10_000_000);
  expect(findRepeatedKey(`{"${long}":"${long}"}`)).toBeUndefined();
});
