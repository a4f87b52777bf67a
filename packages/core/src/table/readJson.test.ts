import { describe, expect, it, test } from "vitest";
import { readText, refusal, refusals } from "../../test/readText.ts";

const a = `0x${"a1".repeat(20)}`;
const b = `0x${"b2".repeat(20)}`;

const objects = `{"address":"${a}","score":9007199254740993}`;
const pair = `["${b}", "18437736874454810622"]`;
const expected = [`${a} 9007199254740993`, `${b} 18437736874454810622`];

async function rowsOf(text: string, format: "json" | "jsonl", chunkLength: number): Promise<readonly string[]> {
  const table = await readText(text, { format }, { chunkLength });
  return Array.from(table, ({ account, score }) => `${account} ${score}`);
}

test.each([
  ["objects and pairs", "json", `[${objects},${pair}]`],
  ["much white space", "json", `[${" ".repeat(200_000)}${objects},${"\n".repeat(70_000)}${pair}]`],
  ["white space", "json", ` \r\n[\n  ${objects}\n  ,\t${pair}\n]\n\n`],
  ["a byte-order mark", "json", `\uFEFF[${objects},${pair}]`],
  [
    "other keys",
    "json",
    `[{"note":"}],[\\"\\\\","Amount":9007199254740993,"account":"${a}","x":{"score":1,"y":[":"]}},{"addr":"${b}","score":"18437736874454810622","":null}]`,
  ],
  ["escapes", "json", `[${objects},{"\\u0061ddress":"\\u0030${b.slice(1)}","score":18437736874454810622}]`],
  ["lines", "jsonl", `${objects}\n${pair}\n`],
  ["lines with CR LF and blank lines", "jsonl", `\uFEFF\r\n${objects}\r\n\r\n  ${pair}`],
] as const)("accepts %s as %s", async (_what, format, text) => {
  for (const chunkLength of [1, 2, 5, 1 << 20]) expect(await rowsOf(text, format, chunkLength)).toEqual(expected);
});

test("a JSON number with three decimals has no thousands, the same text may have", async () => {
  const table = await readText(`[["${a}",1.200],["${b}",12.345]]`, { format: "json", scale: 3 });
  expect(Array.from(table, ({ score }) => score)).toEqual([1_200n, 12_345n]);
  const { issues } = await refusal(`[["${a}","1.200"]]`, { format: "json", scale: 3 });
  expect(issues).toMatchObject([{ reason: "SCORE_FRACTION" }]);
});

const map = `{"${a}": 9007199254740993,\r\n "${b}": "18437736874454810622"}`;

test.each([
  ["json", map],
  ["json", `\uFEFF \n${map}\n`],
  ["jsonl", map.replace("\r\n", "")],
] as const)("reads an object of amounts by address as %s", async (format, text) => {
  for (const chunkLength of [1, 2, 5, 1 << 20]) expect(await rowsOf(text, format, chunkLength)).toEqual(expected);
});

test("without a name, an object over several lines is one, and one on a line is JSON Lines", async () => {
  const spread = `{\n"${a}": 1,\n"${b}": 2\n}`;
  for (const chunkLength of [1, 2, 5, 1 << 20]) {
    expect((await readText(spread, {}, { chunkLength })).total).toBe(3n);
    expect((await readText(`${objects}\n${pair}\n`, {}, { chunkLength })).size).toBe(2);
  }
});

test.each([
  ["an object around the rows", `{"scores":[${objects}]}`, /"scores", where no address is a key; write the array/],
  ["one row", objects, /"address", "score", where no address is a key/],
  ["no rows", "{}", /an object with nothing/],
  ["a key twice", `{"${a}":1,"${a}":2}`, /twice/],
  ["lines", `${objects}\n${objects}`, /use the format jsonl/],
])("names the shape of %s", async (_, text, message) => {
  expect((await refusal(text, { format: "json" })).issues).toEqual([
    { reason: "FILE_MALFORMED", file: "scores", message: expect.stringMatching(message) as string, ...hintOf(text) },
  ]);
});

test("each amount of an object by address is checked", async () => {
  const text = `{"${a}":"0xc8","0x1":2,"${b}":1.5}`;
  expect(await refusals(text, { format: "json" })).toEqual(["1 SCORE_INVALID", "2 ADDRESS_LENGTH", "3 SCORE_FRACTION"]);
});

function hintOf(text: string): object {
  return text.includes("\n") ? { hint: expect.anything() as unknown } : {};
}

test("an empty array is the empty table", async () => {
  expect(await rowsOf("[ ]", "json", 1)).toEqual([]);
});

test.each([
  ["nothing", "", ["- FILE_EMPTY"]],
  ["white space", " \n", ["- FILE_EMPTY"]],
  ["an object", objects, ["- FILE_MALFORMED"]],
  ["a number", "12", ["- FILE_MALFORMED"]],
  ["a control character between elements", `[${objects},\u0001${pair}]`, ["2 FILE_MALFORMED"]],
  ["a space that is not JSON white space", `[\u00a0${objects}]`, ["1 FILE_MALFORMED"]],
  ["an array cut off", `[${objects}`, ["- FILE_MALFORMED"]],
  ["an element cut off", `[${objects},{"address":"${b}`, ["- FILE_MALFORMED"]],
  ["an array never closed", "[", ["- FILE_MALFORMED"]],
  ["text after the array", `[${objects}] x`, ["- FILE_MALFORMED"]],
  ["two arrays", `[${objects}][${objects}]`, ["- FILE_MALFORMED"]],
  ["a wrong bracket at the end", `[${objects}}`, ["- FILE_MALFORMED"]],
  ["a comma at the end", `[${objects},]`, ["2 FILE_MALFORMED"]],
  ["two commas", `[${objects},,${pair}]`, ["2 FILE_MALFORMED"]],
  ["a bracket of another kind", `[{"address":"${a}","score":1]]`, ["1 FILE_MALFORMED"]],
  ["no quotes around a key", `[{address:"${a}","score":1}]`, ["1 FILE_MALFORMED"]],
  ["a number with leading zeros", `[["${a}",007]]`, ["1 FILE_MALFORMED"]],
  ["very deep brackets", `[${"[".repeat(60_000)}${"]".repeat(60_000)}]`, ["1 ROW_MALFORMED"]],
  ["bad rows before a syntax error", `[["x",1],["${a}",1],{]`, ["1 ADDRESS_INVALID", "- FILE_MALFORMED"]],
  ["values that are not rows", `[1,"x",null,true,[],["${a}"],["${a}",1,2]]`, [1, 2, 3, 4, 5, 6, 7].map(malformed)],
  ["missing keys", `[{},{"address":"${a}"},{"score":1}]`, [1, 2, 3].map(malformed)],
  ["a key twice", `[{"address":"${a}","score":1,"score":2}]`, [malformed(1)]],
  ["two names of a field", `[{"address":"${a}","score":1,"amount":2}]`, [malformed(1)]],
  ["a fraction", `[["${a}",12.5]]`, ["1 SCORE_FRACTION"]],
  ["a fraction of zero", `[["${a}",12.0]]`, ["1 SCORE_FRACTION"]],
  ["an exponent", `[["${a}",1e3]]`, ["1 SCORE_INVALID"]],
  ["a negative number", `[["${a}",-1]]`, ["1 SCORE_NEGATIVE"]],
  ["a number above u64", `[["${a}",18446744073709551616]]`, ["1 SCORE_TOO_LARGE"]],
  [
    "other types",
    `[[1,true],[null,{}]]`,
    ["1 ADDRESS_INVALID", "1 SCORE_INVALID", "2 ADDRESS_INVALID", "2 SCORE_INVALID"],
  ],
  ["a repeated account", `[["${a}",1],{"score":2,"address":"${a}"}]`, ["2 ADDRESS_DUPLICATE"]],
  ["a long element", `[["${a}",1],["${b}","${"1".repeat(70_000)}"],["${b}",-1]]`, [malformed(2), "3 SCORE_NEGATIVE"]],
])("refuses %s", async (_what, text, reasons) => {
  expect(await refusals(text, { format: "json" })).toEqual(reasons);
});

test.each([
  ["nothing", "\n\n", ["- FILE_EMPTY"]],
  ["lines that are not JSON", `${objects}\n{"address"\n[1,\n${pair}`, ["2 ROW_MALFORMED", "3 ROW_MALFORMED"]],
  ["a long line", `"${"x".repeat(70_000)}"\n["${a}",x]`, ["1 ROW_MALFORMED", "2 ROW_MALFORMED"]],
  ["two values on a line", `${objects} ${pair}`, ["1 ROW_MALFORMED"]],
  ["a JSON array", `[\n${objects}\n]`, ["1 ROW_MALFORMED", "3 ROW_MALFORMED"]],
])("refuses lines with %s", async (_what, text, reasons) => {
  expect(await refusals(text, { format: "jsonl" })).toEqual(reasons);
});

function malformed(row: number): string {
  return `${row} ROW_MALFORMED`;
}

describe("places", () => {
  it("names line and column of a syntax error", async () => {
    const error = await refusal(`[\n  ${objects},\n    {"address" "${a}"}\n]`, { format: "json" });
    expect(error.issues[0]).toMatchObject({ row: 2 });
    expect(error.issues[0]?.message).toMatch(/\bline 3, column 5\b/);
    expect(error.shortMessage).toMatch(/^scores\b/);
  });

  it("counts columns across chunks", async () => {
    const text = `[${objects}, x]`;
    const place = new RegExp(`^"x".*\\bline 1, column ${text.indexOf("x]") + 1}\\b`);
    await expect(readText(text, { format: "json" }, { chunkLength: 3 })).rejects.toMatchObject({
      issues: [{ row: 2, message: expect.stringMatching(place) as string }],
    });
  });
});
