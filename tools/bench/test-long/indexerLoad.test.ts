import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillIndexer } from "../src/fillIndexer.ts";
import { mixes } from "../src/indexerMixes.ts";
import { measureIndexerLoad } from "../src/measureIndexerLoad.ts";

test("every mix is answered while 50 readers ask for it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "indexer-bench-"));
  try {
    const database = join(folder, "nfts.sqlite");
    const { ownersSeconds, seconds, diskBytes } = await fillIndexer(5_000, database);
    expect(ownersSeconds).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(ownersSeconds);
    expect(diskBytes).toBeGreaterThan(0);
    const result = await measureIndexerLoad(5_000, 100, database);
    expect(result.mixes.map(({ mix }) => mix)).toEqual(Object.keys(mixes));
    for (const { p50, p99 } of result.mixes) expect(p50).toBeLessThanOrEqual(p99);
  } finally {
    await rm(folder, { recursive: true });
  }
});
