import { rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { readInputFile } from "./inputFile.ts";
import { readScoresFrom } from "./table/readScores.ts";

const folder = temporaryFolder();
const row = `0x${"a1".repeat(20)},1\n`;
const past = new Date("2026-01-01T00:00:00Z");

/** Writes a file whose time is in the past, so that every later write shows in its time. */
async function write(name: string, content: string = row): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await utimes(path, past, past);
  return path;
}

/** Reads a file, and changes it after its first chunk. */
async function readWhile(path: string, change: () => Promise<void>): Promise<number> {
  let bytes = 0;
  for await (const chunk of readInputFile(path, "scores.csv")) {
    if (bytes === 0) await change();
    bytes += chunk.length;
  }
  return bytes;
}

test.each<readonly [string, (path: string) => Promise<void>]>([
  ["is rewritten in place with as many bytes", (path) => writeFile(path, row.replace(",1", ",2"))],
  ["is emptied", (path) => truncate(path)],
  ["gets another row", (path) => writeFile(path, row, { flag: "a" })],
  ["is removed", (path) => rm(path)],
  ["is replaced by a file of the same size and time", async (path) => rename(await write("new.csv"), path)],
])("a file that %s while it is read is refused", async (_, change) => {
  const path = await write("scores.csv");
  await expect(readWhile(path, () => change(path))).rejects.toMatchObject({
    code: "FILE_CHANGED",
    shortMessage: expect.stringContaining("scores.csv") as unknown,
  });
});

test("a large file that is rewritten after its first chunk is refused, whatever was read of it", async () => {
  const path = await write("large.csv", row.repeat(20_000));
  await expect(readWhile(path, () => writeFile(path, row))).rejects.toMatchObject({ code: "FILE_CHANGED" });
});

test("an unchanged file is read to its end", async () => {
  expect(await readWhile(await write("scores.csv"), async () => undefined)).toBe(row.length);
});

test("the change is reported before what is wrong with the rows that were read", async () => {
  const path = await write("scores.csv", `${row}0xa1`);
  async function* changing() {
    for await (const chunk of readInputFile(path, path)) {
      await writeFile(path, row);
      yield chunk;
    }
  }
  const reading = readScoresFrom(changing(), path, { accountBytes: [20] });
  await expect(reading).rejects.toMatchObject({ code: "FILE_CHANGED" });
});
