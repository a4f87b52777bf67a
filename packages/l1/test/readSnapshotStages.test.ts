import { expect, test } from "vitest";
import { readOperatorRewards, readSnapshotStages } from "../src/index.ts";
import {
  absent,
  block,
  bridgesPage,
  resource,
  serve,
  snapshotEntry,
  stageEntry,
  tableEntry,
  type Answer,
} from "./l1Server.ts";

const bridge = { bridgeId: 1n, version: 2n };

/**
 * An L1 at a stage, with the bridge's snapshots of the stages from `first` to `last`, but that of `removed`; the operator claimed
 * until the stage `claimed`.
 */
function l1At(
  stage: bigint,
  first: bigint,
  last: bigint,
  { removed, claimed }: { readonly removed?: bigint; readonly claimed?: bigint } = {},
): Answer {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.path, "http://l1");
    const key = Buffer.from(searchParams.get("key_bytes") ?? "", "base64");
    const [, handle = ""] = /\/tables\/(0x[0-9a-f]+)\//.exec(pathname) ?? [];
    const answer = (): Answer => {
      if (pathname.endsWith("/blocks/latest")) return block();
      if (pathname.endsWith("/resources/by_struct_tag")) {
        return resource({ stage: stage.toString(), operator_vestings: { handle: "0xc4", length: "0" } });
      }
      if (pathname.endsWith("/entries")) return bridgesPage([]);
      if (handle === "0xc4") {
        if (claimed === undefined) return absent;
        return tableEntry({ last_claimed_stage: claimed.toString(), vestings: { handle: "0xe1", length: "0" } });
      }
      if (handle === "0xd1") return tableEntry("100");
      if (handle === "0xc1") {
        const snapshots = { handle: `0x${key.subarray(1).toString("hex")}`, length: "1" };
        return key.readBigUInt64BE(1) < stage ? tableEntry({ ...stageEntry, snapshots }) : absent;
      }
      const isOther = key.toString("hex") !== "080000000000000001080000000000000002";
      const number = BigInt(handle);
      return isOther || number < first || number > last || number === removed ? absent : tableEntry(snapshotEntry);
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
  const found = await readSnapshotStages({ l1RestUrl: server.url, ...bridge, initStage });
  expect(found).toMatchObject({ next, newest: next - 1n, removed: [] });
  expect(new Set(server.requests.slice(1).map(({ headers }) => headers["x-cosmos-block-height"]))).toEqual(
    new Set(["5365"]),
  );
});

test.each<readonly [last: bigint, removed: bigint, claimed: bigint | undefined]>([
  [14n, 13n, undefined],
  [14n, 10n, undefined],
  [14n, 12n, 11n],
  [18n, 13n, 13n],
])("snapshots to stage %s, of which a challenge removed %s; claimed: %s", async (last, removed, claimed) => {
  await using server = await serve(l1At(20n, 5n, last, { removed, ...(claimed === undefined ? {} : { claimed }) }));
  const found = await readSnapshotStages({ l1RestUrl: server.url, ...bridge, initStage: 5n });
  expect(found).toMatchObject({ next: removed, newest: last, removed: [removed] });
  const there = Array.from({ length: Number(last - 4n) }, (_, index) => 5n + BigInt(index));
  expect([...found.snapshots.keys()]).toEqual(there.filter((stage) => stage !== removed));
});

test("the operator's claim: L1 refuses one that crosses the removed stage, not one after it", async () => {
  const claimOf = async (claimed: bigint) => {
    await using server = await serve(l1At(20n, 5n, 14n, { removed: 12n, claimed }));
    return await readOperatorRewards({ l1RestUrl: server.url, ...bridge, initStage: 5n, endStage: undefined });
  };
  expect(await claimOf(11n)).toMatchObject({ removedStage: 12n, isClaimable: false });
  expect(await claimOf(12n)).toMatchObject({ removedStage: undefined, isClaimable: true });
});

test("a snapshot of another version does not count", async () => {
  await using server = await serve(l1At(8n, 5n, 7n));
  const options = { l1RestUrl: server.url, ...bridge, version: 1n, initStage: 5n };
  expect(await readSnapshotStages(options)).toMatchObject({ next: 5n, newest: 4n });
});

test("nothing is read after the last stage of a registration that has ended", async () => {
  await using server = await serve(l1At(90n, 5n, 6n));
  const options = { l1RestUrl: server.url, ...bridge, initStage: 5n, endStage: 7n };
  expect(await readSnapshotStages(options)).toMatchObject({ next: 7n, newest: 6n });
  expect(server.requests.length).toBeLessThan(12);
});

test("a bounded number of reads, however many stages there are", async () => {
  await using server = await serve(l1At(1_000_000n, 1n, 999_998n));
  const found = await readSnapshotStages({ l1RestUrl: server.url, ...bridge, initStage: 1n });
  expect(found).toMatchObject({ next: 999_999n, newest: 999_998n });
  expect(found.snapshots.size).toBe(99);
  expect(server.requests.length).toBeLessThan(5 + 2 * 100);
  await using behind = await serve(l1At(2n ** 64n - 1n, 1n, 12n));
  const first = await readSnapshotStages({ l1RestUrl: behind.url, ...bridge, initStage: 1n });
  expect(first).toMatchObject({ next: 13n, newest: 12n });
  expect(behind.requests.length).toBeLessThan(5 + 2 * 100 + 2 * 64);
});
