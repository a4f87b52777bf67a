import { describe, expect, it, test } from "vitest";
import { readText, refusal, refusals } from "../../test/readText.ts";
import { u64Max } from "../stage.ts";

const a = `0x${"a1".repeat(20)}`;
const b = `0x${"b2".repeat(20)}`;
const c = `0x${"c3".repeat(20)}`;
const h = "address,score,note\n";
const deployer = "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475";
const deployerBech32 = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";

async function rowsOf(text: string, chunkLength?: number): Promise<readonly string[]> {
  const table = await readText(text, { format: "csv" }, { ...(chunkLength !== undefined && { chunkLength }) });
  return Array.from(table, ({ account, score }) => `${account} ${score}`);
}

describe("accepted files", () => {
  const expected = [`${a} 1`, `${b} 18446744073709551614`];
  test.each([
    ["two columns", `${a},1\n${b},18446744073709551614\n`],
    ["no newline at the end", `${a},1\n${b},18446744073709551614`],
    ["a header", `address,score\n${a},1\n${b},18446744073709551614\n`],
    ["CR LF", `address,score\r\n${a},1\r\n${b},18446744073709551614\r\n`],
    ["a byte-order mark", `\uFEFFaddress,score\n${a},1\n${b},18446744073709551614\n`],
    ["Excel's sep= line", `sep=;\r\nAddress;Score\r\n${a};1\r\n${b};18446744073709551614\r\n`],
    ["Excel's sep= line without a header", `"sep=\t"\n${a}\t1\n${b}\t18446744073709551614\n`],
    ["Excel's sep= line with another delimiter", `sep=|\naddress|score\n${a}|1\n${b}|18446744073709551614\n`],
    ["0X", `0X${a.slice(2).toUpperCase()},1\n0X${b.slice(2)},18446744073709551614\n`],
    ["names of Etherscan", `"HolderAddress","Points"\n"${a}","1"\n"${b}","18446744073709551614"\n`],
    ["names with spaces", `Wallet Address;Score\n${a};1\n${b};18446744073709551614\n`],
    [
      "names of a Safe",
      `token_type,token_address,receiver,amount\nerc20,0x1,${a},1\nerc20,0x1,${b},18446744073709551614\n`,
    ],
    [
      "quoted line breaks",
      `address,score,note\n${a},1,"won the\r\n""first"", best\n\nround"\n${b},18446744073709551614,"x\ny"\n`,
    ],
    ["a byte-order mark without header", `\uFEFF${a},1\n${b},18446744073709551614\n`],
    ["semicolons", `address;score\n${a};1\n${b};18446744073709551614\n`],
    ["tabs", `${a}\t1\n${b}\t18446744073709551614\n`],
    ["blank lines", `\n \n${a},1\n\n\t\n${b},18446744073709551614\n\n`],
    ["white space around fields", ` ${a} , 1\n${b}\t,\u00a018446744073709551614 \n`],
    ["quotes", `"address","score"\n"${a}","1"\n"${b}","18446744073709551614"\n`],
    ["white space around quotes", `${a}, "1" \n ${b},18446744073709551614\n`],
    ["white space inside quotes", `" ${a}",1\n${b},"18446744073709551614 "\n`],
    ["other names", `ACCOUNT;Points\n${a};1\n${b};18446744073709551614\n`],
    ["other columns", `name,score,note,addr\nx,1,,${a}\n"y, ""z""",18446744073709551614,"two, columns",${b}\n`],
    [
      "two possible delimiters, one determined by the names",
      `address;score;a,b\n${a};1;x\n${b};18446744073709551614;x,y\n`,
    ],
    ["a quoted delimiter in the header", `address,score,"a;b"\n${a},1,\n${b},18446744073709551614,\n`],
    ["non-ASCII columns", `address,score,名前\n${a},1,ё\n${b},18446744073709551614,\u{1F600}\n`],
  ])("%s", async (_what, text) => {
    expect(await rowsOf(text)).toEqual(expected);
    // Chunk boundaries make no difference, not even inside a character.
    for (const chunkLength of [1, 2, 3, 7]) expect(await rowsOf(text, chunkLength)).toEqual(expected);
  });

  it("normalizes every spelling", async () => {
    const table = await readText(`${deployerBech32},1\n${a.toUpperCase().replace("X", "x")},2\n`);
    expect(Array.from(table, ({ account }) => account)).toEqual([deployer.toLowerCase(), a]);
  });

  it("scales and floors", async () => {
    const table = await readText(`${a},12.5\n${b},0.19\n`, { scale: 1, floor: true });
    expect(Array.from(table, ({ score }) => score)).toEqual([125n, 1n]);
  });

  it("reads a header alone as the empty table", async () => {
    expect(await rowsOf("address,score\n")).toEqual([]);
    expect(await rowsOf("account;points")).toEqual([]);
  });

  it("keeps rows of 0", async () => {
    expect((await readText(`${a},0\n`)).size).toBe(1);
  });

  it("reads a total of exactly 2^64 - 1", async () => {
    expect((await readText(`${a},${u64Max - 1n}\n${b},1\n`)).total).toBe(u64Max);
  });
});

test.each([
  ["nothing", "", ["- FILE_EMPTY"]],
  ["blank lines only", "\n \r\n\t\n", ["- FILE_EMPTY"]],
  ["a byte-order mark only", "\uFEFF", ["- FILE_EMPTY"]],
  ["no delimiter", `${a} 1\n`, ["1 FILE_MALFORMED"]],
  ["no delimiter after a blank line", `\n${a}|1\n`, ["2 FILE_MALFORMED"]],
  ["two possible delimiters", `x1,y;1\n`, ["1 FILE_MALFORMED"]],
  ["three columns without header", `${a},1,2\n`, ["1 FILE_MALFORMED"]],
  ["unknown names", `user,value\n${a},1\n`, ["1 FILE_MALFORMED"]],
  ["a header without score", `address,value\n${a},1\n`, ["1 FILE_MALFORMED"]],
  ["a header without address", `score,user\n1,${a}\n`, ["1 FILE_MALFORMED"]],
  ["two address columns", `address,account,score\n${a},${a},1\n`, ["1 FILE_MALFORMED"]],
  ["two score columns", `address,score,amount\n${a},1,1\n`, ["1 FILE_MALFORMED"]],
  ["too few and too many columns", `${a},1\n${b}\n${c},1,\n`, ["2 ROW_MALFORMED", "3 ROW_MALFORMED"]],
  ["columns that the header lacks", `address,score,x\n${a},1\n${b},1,2,3\n`, ["2 ROW_MALFORMED", "3 ROW_MALFORMED"]],
  ["empty fields", `${a},1\n,\n`, ["2 ADDRESS_INVALID", "2 SCORE_INVALID"]],
  ["every bad row", `${a},1\nx1,1\n${b},-1\n${c},1e3\n`, ["2 ADDRESS_INVALID", "3 SCORE_NEGATIVE", "4 SCORE_INVALID"]],
  ["a quoted thousand", `${a},"1,000"\n`, ["1 SCORE_INVALID"]],
  ["a decimal comma", `${a};1,5\n`, ["1 SCORE_INVALID"]],
  ["a repeated account", `${a},1\n${b},1\n${a},1\n`, ["3 ADDRESS_DUPLICATE"]],
  ["a total that exceeds u64 once", `${a},${u64Max}\n${b},1\n${c},1\n`, ["2 TOTAL_TOO_LARGE"]],
  ["a carriage return alone", `${a},1\r${b},1\r`, ["1 ROW_MALFORMED"]],
  ["a carriage return alone in a later row", `${a},1\n${b},1\r${c},1\n`, ["2 ROW_MALFORMED"]],
  ["a quote inside a field", `${a},1\n${b},1"\n${c},1\n`, ["2 ROW_MALFORMED"]],
  ["a quote never closed", `${a},1\n"${b},1\n${c},x\n`, ["2 ROW_MALFORMED", "3 SCORE_INVALID"]],
  ["text after a closing quote", `${a},1\n${b},"1"1\n${c},1\n`, ["2 ROW_MALFORMED"]],
  ["a note that is never closed", `${h}${a},1,"x\n${b},y,\n`, ["2 ROW_MALFORMED", "3 SCORE_INVALID"]],
  [
    "a note that is closed behind other rows",
    `${h}${a},1,"x\n${b},2,y\n${c},3,z"\n`,
    ["2 ROW_MALFORMED", "4 ROW_MALFORMED"],
  ],
  [
    "a note of lines that is never closed",
    `${h}${a},1,"x\ny\nz\n`,
    ["2 ROW_MALFORMED", "3 ROW_MALFORMED", "4 ROW_MALFORMED"],
  ],
  ["two single quotes in two rows", `${a},1"\n${b},1\n${c},2"\n`, ["1 ROW_MALFORMED", "3 ROW_MALFORMED"]],
  ["misplaced quotes in the first row", `${a},"1"1\n${b},x\n`, ["1 ROW_MALFORMED", "2 SCORE_INVALID"]],
  ["a long line", `${a},1\n${b},${"1".repeat(65_536)}\n${c},x\n`, ["2 ROW_MALFORMED", "3 SCORE_INVALID"]],
  ["a very long last line", `${a},1\n${"1".repeat(300_000)}`, ["2 ROW_MALFORMED"]],
  [
    "a quoted field that continues over a row",
    `${a},1,"x\n${b},1,y"\n`.replace(/^/, "address,score,z\n"),
    ["2 ROW_MALFORMED", "3 ROW_MALFORMED"],
  ],
  ["a long line in a quoted field", `${a},1\n"x\n${"1".repeat(70_000)}\n`, ["2 ROW_MALFORMED", "3 ROW_MALFORMED"]],
])("refuses %s", async (_what, text, expected) => {
  expect(await refusals(text, { format: "csv" })).toEqual(expected);
});

test("an overlong quoted field invalidates only its first line", async () => {
  const others = Array.from({ length: 3000 }, (_, row) => `0x${(row + 1).toString(16).padStart(40, "0")},1\n`);
  expect(await refusals(`${a},1\n"${b},1\n${others.join("")}`, { format: "csv" })).toEqual(["2 ROW_MALFORMED"]);
});

describe("messages", () => {
  it("names both rows and both spellings of a repeated account", async () => {
    const error = await refusal(`address,score\n${deployer},1\n${deployerBech32},1\n${deployer},2\n`);
    expect(error.code).toBe("INPUT_INVALID");
    expect(error.shortMessage).toMatch(/\b2 rows\b.*\bscores\b/);
    expect(error.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^${deployerBech32}\\b.*\\b${deployer.toLowerCase()}\\b.*\\brow 2$`)),
      expect.stringMatching(new RegExp(`^${deployer}\\b.*\\brow 2$`)),
    ]);
  });

  it("uses the header's name for the score", async () => {
    const error = await refusal(`address,amount\n${a},12.5\n`);
    expect(error.issues[0]?.message).toMatch(/^amount "12\.5"/);
    expect(error.shortMessage).toMatch(/\b1 row\b.*\bscores\b/);
  });

  it.each([
    [`address,score\n${a},1,234\n`, /"1,234".*\b1234\b/, [3, 3]],
    [`${a},12,345,678.5\n`, /"12,345,678\.5".*\b12345678\.5\b/, [1]],
    [`${b},1\n${a},1,234\n`, /"1,234".*\b1234\b/, [3, 3]],
    [`name,score,address\nx,1,234,${a}\n`, /"1,234".*\b1234\b/, [3, 3]],
    [`address,score,name\n${a},1,Smith,J\n`, /^[^"]*$/, []],
    [`address,score,name\n${a},1\n`, /^[^"]*$/, []],
  ])("explains the columns that commas of a score add: %j", async (text, expected, advised) => {
    for (const [index, scale] of [undefined, 2].entries()) {
      const { issues } = await refusal(text, { format: "csv", ...(scale !== undefined && { scale }) });
      expect(issues).toMatchObject([{ message: expect.stringMatching(expected) as string }]);
      expect(issues.map(({ hint }) => hint?.code === "scale" && hint.scale)).toEqual([advised[index] ?? false]);
    }
  });

  it("cuts long values and escapes terminal control characters", async () => {
    const error = await refusal(`${a},\u001b[2J\u202e${"x".repeat(1000)}\n`);
    const message = error.issues[0]?.message ?? "";
    expect(message).toContain('"\\u{1b}[2J\\u{202e}xxx');
    expect(message.length).toBeLessThan(200);
  });
});

test("keeps 100,000 issues and counts every row", async () => {
  const error = await refusal(`${a},1\n${"x1,y\n".repeat(150_000)}`);
  expect(error.issues).toHaveLength(100_000);
  expect(error.shortMessage).toContain("150,000 rows");
  expect(error.metaMessages).toEqual([expect.stringMatching(/\b100,000\b.*\b200,000\b/)]);
});

describe("a last line without its end", () => {
  const warningsOf = async (content: string): Promise<readonly string[]> => {
    const warnings: string[] = [];
    const onUnended = (warning: string): unknown => warnings.push(warning);
    await readText(content, { onUnended }).catch(() => undefined);
    return warnings;
  };

  it.each([
    ["a cut number", `address,score\n${a},88612\n${b},886`, `scores:3  the last line "${b},886" has no line end`],
    ["a cut address", `address,score\n${a},88612\n0xb2`, `scores:3  the last line "0xb2" has no line end`],
    ["a header alone", "address,score", `scores:1  the last line "address,score" has no line end`],
  ])("is shown: %s", async (_, content, shown) => {
    expect(await warningsOf(content)).toEqual([expect.stringContaining(shown)]);
  });

  it.each([
    ["LF", `${a},1\n`],
    ["CR LF", `${a},1\r\n`],
    ["JSON", `[["${a}",1]]`],
    ["JSON Lines", `{"address":"${a}","score":1}`],
  ])("is not reported for %s", async (_, content) => {
    expect(await warningsOf(content)).toEqual([]);
  });
});
