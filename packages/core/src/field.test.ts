import { expect, test } from "vitest";
import { InputError } from "./errors/inputError.ts";
import { count, Field, fields, list, matching, nullable, object, oneOf, optional, sha256, text, u64 } from "./field.ts";

const refuse = (place: string, problem: string): InputError => new InputError(`${place} ${problem}`);
const read = object({
  name: text,
  size: optional(count),
  kind: oneOf(["a", "b"]),
  total: nullable(u64),
  files: list(object({ name: matching(/^\w+$/, "a word"), sha256 })),
});
const hash = "0f".repeat(32);
const valid = { name: "one", size: 5, kind: "b", total: "18446744073709551615", files: [{ name: "f", sha256: hash }] };

test("an object is read field by field", () => {
  expect(read(new Field(valid, "f.json", refuse))).toEqual({ ...valid, total: 2n ** 64n - 1n });
  expect(read(new Field({ ...valid, size: undefined, total: null }, "f.json", refuse))).toMatchObject({
    size: undefined,
    total: undefined,
  });
});

test.each([
  [[], "f.json "],
  [new Date(0), "f.json "],
  [{ ...valid, size: new Date(0) }, "f.json: size is a date"],
  [{ ...valid, name: undefined }, "f.json: name is missing"],
  [{ ...valid, name: " " }, 'f.json: name is " "'],
  [{ ...valid, name: "a\u001bb" }, 'f.json: name is "a\\u{1b}b"'],
  [{ ...valid, name: "a".repeat(501) }, "f.json: name is "],
  [{ ...valid, size: -1 }, "f.json: size is -1"],
  [{ ...valid, size: 2 ** 53 }, "f.json: size is 9007199254740992"],
  [{ ...valid, size: null }, "f.json: size is null"],
  [{ ...valid, kind: "c" }, 'f.json: kind is "c"'],
  [{ ...valid, total: "18446744073709551616" }, "f.json: total is "],
  [{ ...valid, total: "01" }, 'f.json: total is "01"'],
  [{ ...valid, total: 1 }, "f.json: total is 1"],
  [{ ...valid, files: {} }, "f.json: files is an object"],
  [{ ...valid, files: [...valid.files, { name: "g" }] }, "f.json: files[2].sha256 is missing"],
  [{ ...valid, files: [{ ...valid.files[0], size: 1 }] }, "f.json: files[1].size "],
  [{ ...valid, constructor: 1 }, "f.json: constructor "],
  [JSON.parse(`{"__proto__": 1, ${JSON.stringify(valid).slice(1)}`), "f.json: __proto__ "],
  [{ ...valid, "a\nb": 1 }, 'f.json: "a\\u{a}b" '],
])("%# names the place and the value", (value, message) => {
  expect(() => read(new Field(value, "f.json", refuse))).toThrow(message);
});

test("other fields are left out where they are allowed", () => {
  expect(fields({ name: text })(new Field(valid, "f.json", refuse))).toEqual({ name: "one" });
});

test("a missing field is not what every object inherits", () => {
  expect(() => object({ constructor: text })(new Field({}, "f.json", refuse))).toThrow("f.json: constructor ");
});

test("a secret in place of an object is not repeated", () => {
  expect(() => read(new Field("hunter2", "f.json", refuse))).toThrow(
    expect.objectContaining({ shortMessage: expect.not.stringContaining("hunter2") as string }),
  );
});

test("a key in the place of a name or a value is not repeated", () => {
  const key = "0123456789abcdef".repeat(4);
  for (const value of [
    { ...valid, [key]: 1 },
    { ...valid, name: `${key}\n` },
  ]) {
    expect(() => read(new Field(value, "f.json", refuse))).toThrow(
      expect.objectContaining({ shortMessage: expect.not.stringContaining(key.slice(8, -8)) as string }),
    );
  }
});
