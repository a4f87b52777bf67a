import { expect, test } from "vitest";
import { Answer, type ReadAnswer } from "./answer.ts";

const answerOf = (value: unknown): Answer =>
  new Answer({ endpoint: "http://node", title: "/x", hide: (text) => text.replace("token", "…") }, value);

test("each kind of field is read as its type", () => {
  const answer = answerOf({
    text: "a",
    flag: true,
    code: 5,
    u64: "18446744073709551615",
    exact: 18_446_744_073_709_551_615n,
    quantity: "0x1F",
    hex: "0x00Ff",
    base64: "AAE=",
    json: '{"a":[1]}',
    decimal: "0.150000000000000000",
    unix: "1700000000",
    iso: "2026-11-21T06:06:15.640122012Z",
    none: null,
  });
  const field = (name: string): Answer => answer.field(name);
  expect(field("text").text()).toBe("a");
  expect(field("flag").boolean()).toBe(true);
  expect(field("code").integer()).toBe(5);
  expect(field("u64").u64()).toBe(2n ** 64n - 1n);
  expect(field("exact").u64()).toBe(2n ** 64n - 1n);
  expect(field("quantity").quantity()).toBe(31n);
  expect(field("quantity").hexCount()).toBe(31);
  expect(field("hex").hex()).toBe("0x00Ff");
  expect(field("hex").hex(2)).toBe("0x00Ff");
  expect(field("base64").base64()).toEqual(Buffer.from([0, 1]));
  expect(field("json").json().field("a").list()[0]?.integer()).toBe(1);
  expect(field("decimal").decimal()).toBe("0.150000000000000000");
  expect(field("unix").unixTime()).toEqual(new Date(1_700_000_000_000));
  expect(field("iso").isoTime()).toEqual(new Date("2026-11-21T06:06:15.640Z"));
  expect([answer.optional("none"), answer.optional("missing")]).toEqual([undefined, undefined]);
  expect([field("none").list(), field("missing").list(), field("missing").count()]).toEqual([[], [], 0]);
  expect(answerOf([1]).elements()[0]?.integer()).toBe(1);
  expect([field("code").count(), field("unix").count()]).toEqual([5, 1_700_000_000]);
});

test.each<[place: string, kind: string, value: unknown, read: ReadAnswer<unknown>]>([
  ["a[0].b", "a text", { a: [{ b: 1 }] }, (x) => x.field("a").list()[0]?.field("b").text()],
  ["a", "an object", {}, (x) => x.field("a").field("b")],
  ["", "a text", 7, (x) => x.text()],
  ["a", "a u64", { a: "18446744073709551616" }, (x) => x.field("a").u64()],
  ["a", "a u64", { a: 18 }, (x) => x.field("a").u64()],
  ["a", "a u64", { a: -1n }, (x) => x.field("a").u64()],
  ["a", "a number", { a: 1.5 }, (x) => x.field("a").integer()],
  ["a", "a count", { a: "1.5" }, (x) => x.field("a").count()],
  ["a", "a quantity in hex", { a: "0x" }, (x) => x.field("a").quantity()],
  ["a", "bytes in hex", { a: "0x0" }, (x) => x.field("a").hex()],
  ["a", "3 bytes in hex", { a: "0x0011" }, (x) => x.field("a").hex(3)],
  ["a", "a count in hex", { a: "0x20000000000000" }, (x) => x.field("a").hexCount()],
  ["a", "bytes in base64", { a: "AA%E" }, (x) => x.field("a").base64()],
  ["a", "JSON", { a: "{" }, (x) => x.field("a").json()],
  ["a.b", "a text", { a: '{"b":{}}' }, (x) => x.field("a").json().field("b").text()],
  ["a", "a decimal number", { a: "1e5" }, (x) => x.field("a").decimal()],
  ["a", "a time", { a: "8640000000001" }, (x) => x.field("a").unixTime()],
  ["a", "a time", { a: "2026-13-45T00:00:00Z" }, (x) => x.field("a").isoTime()],
  ["a", "a time", { a: "2026-02-29T00:00:00Z" }, (x) => x.field("a").isoTime()],
  ["a", "a list", { a: 1 }, (x) => x.field("a").list()],
  ["a", "a list", {}, (x) => x.field("a").elements()],
  ["a", "true or false", { a: 1 }, (x) => x.field("a").boolean()],
])("refused: %s is not %s", (place, _kind, value, read) => {
  expect(() => read(answerOf(value))).toThrowError(
    expect.objectContaining({
      code: "NODE_BAD_RESPONSE",
      isTransient: true,
      shortMessage: expect.stringMatching(/\bhttp:\/\/node\b.* \/x\b/),
      message: expect.stringContaining(` ${place}`),
    }),
  );
});

test("JSON is read by the given parser", () => {
  const parse = (text: string): unknown => ({ n: BigInt(text) });
  const answer = answerOf({ a: "18446744073709551615", b: "{" });
  expect(answer.field("a").json(parse).field("n").u64()).toBe(2n ** 64n - 1n);
  expect(() => answer.field("b").json(parse)).toThrowError(expect.objectContaining({ code: "NODE_BAD_RESPONSE" }));
});

test("the details show the value, without the endpoint's secrets", () => {
  expect(() => answerOf({ a: "token" }).field("a").u64()).toThrowError(expect.objectContaining({ details: "…" }));
  expect(() => answerOf({}).field("a").u64()).toThrowError(expect.objectContaining({ details: "nothing" }));
});

test.each<[title: string, value: unknown, start: string]>([
  ["lists nested 100,000 deep", JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), "[[["],
  ["objects nested 100,000 deep", JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`), '{"a":{"a":{'],
  ["a list of a million numbers", Array.from({ length: 1_000_000 }, () => 7), "[7,7,"],
  ["a long text in an object", { a: "x".repeat(1_000_000), b: 1 }, '{"a":"xxx'],
  ["an exact number", { a: [1n, null, true], b: {}, "c\n": [] }, '{"a":[1,null,true],"b":{},"c\\n":[]}'],
])("the details show the start of %s", (_, value, start) => {
  const refusal = expect.objectContaining({ details: expect.stringMatching(/^.{1,200}$/s) as string });
  expect(() => answerOf(value).u64()).toThrowError(refusal);
  const showsStart = expect.objectContaining({ details: expect.stringContaining(start) as string });
  expect(() => answerOf(value).u64()).toThrowError(showsStart);
});
