import { expect, test } from "vitest";
import { readNextSnapshotStage } from "../src/index.ts";
import { block, refusal, resource, serve, snapshotEntry, stageEntry, tableEntry, type Answer } from "./l1Server.ts";

// Recorded from a node of L1 v1.4.6 for a missing row of a table.
const absent = refusal(2, "collections: not found: key 'hexBytes:00' of type bytes");
const bridge = { bridgeId: 1n, version: 2n };

/** An L1 at a stage, with the bridge's snapshots of the stages from `first` to `last`. */
function l1At(stage: bigint, first: bigint, last: bigint): Answer {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.path, "http://l1");
    const key = Buffer.from(searchParams.get("key_bytes") ?? "", "base64");
    const [, handle = ""] = /\/tables\/(0x[0-9a-f]+)\//.exec(pathname) ?? [];
    const answer = (): Answer => {
      if (pathname.endsWith("/blocks/latest")) return block();
      if (pathname.endsWith("/resources/by_struct_tag")) return resource({ stage: stage.toString() });
      if (handle === "0xc1") {
        const snapshots = { handle: `0x${key.subarray(1).toString("hex")}`, length: "1" };
        return key.readBigUInt64BE(1) < stage ? tableEntry({ ...stageEntry, snapshots }) : absent;
      }
      const isOther = key.toString("hex") !== "080000000000000001080000000000000002";
      return isOther || BigInt(handle) < first || BigInt(handle) > last ? absent : tableEntry(snapshotEntry);
    };
    answer()(request, response);
  };
}

test.each<readonly [what: string, stage: bigint, initStage: bigint, last: bigint, next: bigint]>([
  ["the first stage is active", 5n, 5n, 0n, 5n],
  ["L1 has not reached the first stage", 5n, 6n, 0n, 6n],
  ["nothing submitted yet", 8n, 5n, 0n, 5n],
  ["only the first", 8n, 5n, 5n, 6n],
  ["all but the newest", 8n, 5n, 6n, 7n],
  ["all", 8n, 5n, 7n, 8n],
  ["one of many", 500n, 3n, 3n, 4n],
  ["some of many", 500n, 3n, 123n, 124n],
])("%s: L1 at stage %s, first stage %s, the last snapshot %s", async (_, stage, initStage, last, next) => {
  await using server = await serve(l1At(stage, initStage, last));
  expect(await readNextSnapshotStage({ l1RestUrl: server.url, ...bridge, initStage })).toBe(next);
  expect(new Set(server.requests.slice(1).map(({ headers }) => headers["x-cosmos-block-height"]))).toEqual(
    new Set(["5365"]),
  );
});

test("a snapshot of another version does not count", async () => {
  await using server = await serve(l1At(8n, 5n, 7n));
  expect(await readNextSnapshotStage({ l1RestUrl: server.url, ...bridge, version: 1n, initStage: 5n })).toBe(5n);
});

test("few reads, however many stages there are", async () => {
  await using server = await serve(l1At(1_000_000n, 1n, 999_998n));
  expect(await readNextSnapshotStage({ l1RestUrl: server.url, ...bridge, initStage: 1n })).toBe(999_999n);
  expect(server.requests.length).toBe(8);
  await using behind = await serve(l1At(2n ** 64n - 1n, 1n, 12n));
  expect(await readNextSnapshotStage({ l1RestUrl: behind.url, ...bridge, initStage: 1n })).toBe(13n);
  expect(behind.requests.length).toBeLessThan(2 + 4 * 64);
});
