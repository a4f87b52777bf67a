import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mixes } from "../src/indexerMixes.ts";
import { measureIndexerLoad } from "../src/measureIndexerLoad.ts";

test("every mix is answered while 50 readers ask for it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "indexer-bench-"));
  try {
    const result = await measureIndexerLoad(5_000, 100, join(folder, "nfts.sqlite"));
    expect(result.mixes.map(({ mix }) => mix)).toEqual(Object.keys(mixes));
    for (const { p50, p99 } of result.mixes) expect(p50).toBeLessThanOrEqual(p99);
    const { ownersSeconds, seconds, diskBytes } = result.ingest;
    expect(ownersSeconds).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThan(ownersSeconds);
    expect(diskBytes).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
