import { describe, expect, test } from "vitest";
import { parseUniqueJson, RepeatedKeyError } from "./uniqueJson.ts";

describe("parseUniqueJson", () => {
  test.each([
    `{"a":1,"a":2}`,
    String.raw`{"a":1,"\u0061":2}`,
    `{"x":[{"b":{},"c":"}","b" :1}]}`,
    String.raw`{"\"a":1,"x":"{","\"a":1}`,
  ])("refuses %s", (text) => {
    expect(() => parseUniqueJson(text)).toThrow(RepeatedKeyError);
  });

  test.each([
    `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`,
    String.raw`{"a":"\"a\":","b":"a"}`,
    String.raw`{"a\\":1,"a":2,"\\a":3}`,
    `["a","a",{"a":"a"},"a"]`,
    `"a"`,
  ])("reads %s as any parser does", (text) => {
    expect(parseUniqueJson(text)).toEqual(JSON.parse(text));
  });

  test("reads a key or a value of ten million characters", () => {
    const long = "x".repeat(10_000_000);
    expect(parseUniqueJson(`{"${long}":"${long}"}`)).toEqual({ [long]: long });
  });

  test("refuses what is not JSON", () => {
    expect(() => parseUniqueJson(`{"a":1`)).toThrow(SyntaxError);
  });
});
