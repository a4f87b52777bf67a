import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { readText, refusal, refusals } from "../../test/readText.ts";
import { readScores, readScoresFrom } from "./readScores.ts";

const a = `0x${"a1".repeat(20)}`;
const csv = `${a},1\n`;
const json = `[["${a}",1]]`;
const lines = `{"address":"${a}","score":1}\n`;

const folder = temporaryFolder();

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

test.each([
  ["scores.csv", csv],
  ["scores.tsv", csv.replace(",", "\t")],
  ["scores.TXT", csv],
  ["scores.json", json],
  ["scores.jsonl", lines],
  ["scores.ndjson", lines],
  ["no-extension-csv", csv],
  ["no-extension-json", `\n ${json}`],
  ["no-extension-lines", lines],
  ["other.dat", `\uFEFF${json}`],
])("detects the format of %s", async (name, content) => {
  const table = await readScores(await write(name, content), { accountBytes: [20] });
  expect(Array.from(table)).toEqual([{ account: a, score: 1n }]);
});

test("the format option overrides the name", async () => {
  const file = await write("misnamed.csv", json);
  expect((await readScores(file, { accountBytes: [20], format: "json" })).size).toBe(1);
});

test("a file that starts with too much white space is read as CSV", async () => {
  expect(await refusals(`${" ".repeat(200_000)}\n`)).toEqual(["1 ROW_MALFORMED"]);
});

test("32-byte accounts are read if the chain has them", async () => {
  const account = `0x${"ab".repeat(32)}`;
  expect(Array.from(await readText(`${account},1`, { accountBytes: [20, 32] }))).toEqual([{ account, score: 1n }]);
  expect(await refusals(`${account},1`)).toEqual(["1 ADDRESS_LENGTH"]);
});

describe("files that cannot be read", () => {
  it("refuses a missing file", async () => {
    const missing = join(folder, "missing.csv");
    await expect(readScores(missing, { accountBytes: [20] })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("refuses a directory", async () => {
    const directory = join(folder, "directory.csv");
    await mkdir(directory);
    await expect(readScores(directory, { accountBytes: [20] })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      shortMessage: expect.stringContaining(directory) as string,
    });
  });

  it("refuses a path that cannot exist", async () => {
    await expect(readScores("a\0b", { accountBytes: [20] })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(readScores("x".repeat(5000), { accountBytes: [20] })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
  });
});

test.each([
  ["a NUL", `${csv}\0`],
  ["a compressed file", gzipSync(csv)],
  ["UTF-16 little-endian", Buffer.from(`\uFEFF${csv}`, "utf16le")],
  ["UTF-16 without a mark", Buffer.from(csv, "utf16le")],
  ["UTF-16 big-endian", Buffer.from(`\uFEFF${csv}`, "utf16le").swap16()],
  ["Latin-1", Buffer.from(`address,score,note\n${a},1,é\n`, "latin1")],
  ["a character cut off", Buffer.from(`address,score,note\n${a},1,é`).subarray(0, -1)],
])("refuses %s as binary", async (_what, content) => {
  expect(await refusals(content, { format: "csv" })).toEqual(["- FILE_BINARY"]);
  await expect(readText(content, { format: "csv" }, { chunkLength: 1 })).rejects.toMatchObject({
    issues: expect.arrayContaining([expect.objectContaining({ reason: "FILE_BINARY" })]),
  });
});

test("says how to save a UTF-16 file", async () => {
  const error = await refusal(Buffer.from(`\uFEFF${csv}`, "utf16le"));
  expect(error.issues[0]?.message).toMatch(/\bUTF-16\b.*\bUTF-8\b/);
});

test.each([-1, 0.5, 19, Number.NaN])("refuses scale %d", async (scale) => {
  await expect(readText(csv, { scale })).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

describe("aborting", () => {
  it("throws the signal's reason before reading", async () => {
    const reason = new Error("stopped");
    const file = await write("abort.csv", csv);
    await expect(readScores(file, { accountBytes: [20], signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("throws the signal's reason while reading", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const chunks = (async function* () {
      yield Buffer.from(csv);
      controller.abort(reason);
      yield Buffer.from("x,y\n");
    })();
    const options = { accountBytes: [20], signal: controller.signal } as const;
    await expect(readScoresFrom(chunks, "scores.csv", options)).rejects.toBe(reason);
  });

  it("throws the signal's reason while a file is being read", async () => {
    const controller = new AbortController();
    const file = await write("long.csv", `${csv}${"\n".repeat(5_000_000)}`);
    const reading = readScores(file, { accountBytes: [20], signal: controller.signal });
    const reason = new Error("stopped");
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

test("rethrows errors of the byte source", async () => {
  const fault = new Error("socket closed");
  const chunks: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(fault) }),
  };
  await expect(readScoresFrom(chunks, "scores.csv", { accountBytes: [20] })).rejects.toBe(fault);
});

describe("the option columns", () => {
  const table = `Owner Of;Total;points\n${a};7;1\n`;
  const columns = { address: "owner of", score: "Total" };

  it("names the columns of a CSV, in any case, and the keys of JSON", async () => {
    expect((await readText(table, { columns })).total).toBe(7n);
    expect((await readText(table, { columns: { address: "Owner Of" } })).total).toBe(1n);
    expect((await readText(`[{"Owner Of":"${a}","Total":7,"score":9}]`, { columns })).total).toBe(7n);
  });

  it("is advised for names that are not known, and refused for names that the file does not have", async () => {
    const { issues } = await refusal(table);
    expect(issues).toMatchObject([{ reason: "FILE_MALFORMED", hint: { code: "name-columns" } }]);
    expect(await refusals(table, { columns: { ...columns, score: "Sum" } })).toEqual(["1 FILE_MALFORMED"]);
    expect(await refusals(csv, { columns })).toEqual(["1 FILE_MALFORMED"]);
  });
});
