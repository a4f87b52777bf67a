import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import type { ChainSource } from "../src/chain/chainSource.ts";
import { PartJournal } from "../src/data/partJournal.ts";
import { readIntoParts } from "../src/data/storedSource.ts";

const source: ChainSource = {
  name: "points",
  kind: "evm_events",
  columns: [{ name: "height", type: "integer", stored: "bigint" }],
  identity: "",
  // eslint-disable-next-line typescript/require-await
  async *read({ first, last }) {
    for (let height = first; height <= last; height += 1) {
      yield { first: height, last: height, lastHash: "", rows: [[BigInt(height)]] };
    }
  },
};

test("files of a part that a kill left unlisted are removed, and those of listed parts are not", async () => {
  const folder = temporaryFolder();
  const { signal } = new AbortController();
  const read = async (first: number, last: number) => {
    const journal = await PartJournal.open(folder, 1);
    await readIntoParts(source, { journal, range: { first, last }, folder, onPart: () => undefined, signal });
  };
  await read(1, 3);
  // Another number of blocks than the next part has.
  for (const path of ["rows/part-4-9.parquet", "reversed/part-4-9.parquet.tmp", "digests/part-4-9.txt"]) {
    await writeFile(join(folder, path), "left");
  }
  await writeFile(join(folder, "rows/id_ed25519"), "not ours");
  await read(4, 5);
  expect(await readdir(join(folder, "rows"))).toContain("id_ed25519");
  await rm(join(folder, "rows/id_ed25519"));
  for (const kind of ["rows", "reversed"]) {
    expect((await readdir(join(folder, kind))).sort()).toEqual(["part-1-3.parquet", "part-4-5.parquet"]);
  }
  expect((await readdir(join(folder, "digests"))).sort()).toEqual(["part-1-3.txt", "part-4-5.txt"]);
});
