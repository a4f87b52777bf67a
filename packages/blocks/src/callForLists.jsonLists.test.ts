import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { JsonListReader, maxPartBytes, PartTooLarge } from "./callForLists.ts";

const seed = fuzzSeed();

/** Reads a text in chunks of the given size in bytes. */
function read(text: string, size: number, field = "logs") {
  const reader = new JsonListReader({ field, keep: (element) => ({ element }) });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return reader.end();
}

test("any JSON is unchanged, however it is cut, with its lists separated", () => {
  const value = fc.jsonValue();
  fc.assert(
    fc.property(value, fc.array(value), value, fc.integer({ min: 1, max: 40 }), (before, logs, after, size) => {
      const text = JSON.stringify({ before, logs, after }, undefined, size % 3);
      const { rest, lists } = read(text, size);
      expect(lists.flat()).toEqual(
        logs.map((element) => ({ element: JSON.parse(JSON.stringify(element)) as unknown })),
      );
      expect(rest).toEqual(JSON.parse(JSON.stringify({ before, logs: [0], after })));
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});

test("lists of the same name are kept apart, even inside other lists", () => {
  const { rest, lists } = read('{"txs":[{"logs":[1,[2,"]"]]},{"logs":[ ]},{"logs":{"a":[3]}}],"logs\\"":[4]}', 5);
  expect(rest).toEqual({ txs: [{ logs: [0] }, { logs: [1] }, { logs: { a: [3] } }], 'logs"': [4] });
  expect(lists).toEqual([[{ element: 1 }, { element: [2, "]"] }], []]);
});

test("elements that are not kept are dropped", () => {
  const reader = new JsonListReader({ field: "result", keep: (element) => (element === 2 ? element : undefined) });
  reader.push(Buffer.from('{"result":[1,2,3]}'));
  expect(reader.end()).toEqual({ rest: { result: [0] }, lists: [[2]] });
});

test.each(["", "{", '{"logs":[1', '{"logs":[1}', '{"logs":[1,,2]', "<html>"])("%j is not JSON", (text) => {
  expect(() => read(text, 3)).toThrow(SyntaxError);
});

test("a list may be far larger than the limit of one element", () => {
  const reader = new JsonListReader({ field: "logs", keep: (element) => String(element).length });
  const element = Buffer.from(`"${"x".repeat(1_048_576)}",`);
  reader.push(Buffer.from('{"logs":['));
  const count = (3 * maxPartBytes) / 1_048_576;
  for (let index = 0; index < count; index += 1) reader.push(element);
  reader.push(Buffer.from("0]}"));
  expect(reader.end().lists[0]).toHaveLength(count + 1);
});

test.each(['{"logs":["', '{"other":["', '"'])("a part without an end is refused: %s", (begin) => {
  const reader = new JsonListReader({ field: "logs", keep: (element) => element });
  reader.push(Buffer.from(begin));
  const more = Buffer.alloc(1_048_576, "x");
  expect(() => {
    for (let size = 0; size <= maxPartBytes; size += more.length) reader.push(more);
  }).toThrow(PartTooLarge);
});
