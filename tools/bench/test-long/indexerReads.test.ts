import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measureIndexerReads } from "../src/indexerReads.ts";

test("the client and a plain loop read the same tokens, all of them", async () => {
  const tokens = 20_000;
  const folder = await mkdtemp(join(tmpdir(), "indexer-bench-"));
  try {
    const { readings } = await measureIndexerReads(tokens, join(folder, "nfts.sqlite"));
    const ids = Array.from({ length: tokens }, (_, index) => `${index + 1}`).sort();
    const sha256 = createHash("sha256")
      .update(ids.map((id) => `${id}\n`).join(""))
      .digest("hex");
    expect(readings.map(({ reader }) => reader)).toEqual(["plain", "client", "depth"]);
    for (const reading of readings.slice(0, 2)) expect(reading).toMatchObject({ count: tokens, sha256 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
