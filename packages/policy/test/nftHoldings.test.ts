import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import type { BlockRange, NftOwnerChange } from "../src/chain/chainSource.ts";
import { nftChangeColumns, type NftKind } from "../src/sources/nft/nftChangesSource.ts";
import { readByToken } from "../src/sources/nft/nftHoldingsSource.ts";
import type { SourceData } from "../src/sources/policySource.ts";
import { nftSource } from "./nftSources.ts";
import { alice, bob } from "./policyFolder.ts";
import { rowsOf } from "./rowsOf.ts";

const cats = `0x${"c0".repeat(32)}` as const;
const object = (digit: number) => `0x${String(digit).repeat(64)}` as const;

/** A change in a block: of a token by its ID, or of an object. */
type Played = readonly [height: number, change: NftOwnerChange];

const change = (tokenId: string, owner: `0x${string}` | undefined, objectAddr?: `0x${string}`): NftOwnerChange => ({
  token: { collectionAddr: cats, tokenId },
  objectAddr,
  owner,
});
const ofObject = (objectAddr: `0x${string}`, owner: `0x${string}` | undefined): NftOwnerChange => ({
  token: { objectAddr },
  objectAddr: undefined,
  owner,
});

/** The rows of a source over changes, without the collection. */
async function collect(kind: NftKind, played: readonly Played[], range: BlockRange) {
  const changes = played.map(([height, one]) => ({ height, change: one }));
  const folder = temporaryFolder();
  const rows = await rowsOf(await nftSource(kind, "cats", changes, range).collect({ folder }));
  return rows.map(([, ...values]) => values);
}

const window = { first: 10, last: 20 };

describe("holdings over time", () => {
  const over = (...played: readonly Played[]) => collect("nft_holdings_over_time", played, window);

  test("begin and end with the window", async () => {
    expect(await over([3, change("1", alice)])).toEqual([["1", alice, 10n, 20n, 11n]]);
    expect(await over([10, change("1", alice)], [20, change("1", bob)])).toEqual([
      ["1", alice, 10n, 19n, 10n],
      ["1", bob, 20n, 20n, 1n],
    ]);
    expect(await over([3, change("1", alice)], [10, change("1", bob)])).toEqual([["1", bob, 10n, 20n, 11n]]);
    expect(await over([21, change("1", alice)])).toEqual([]);
  });

  test("a mint, a transfer there and back in one block, a burn and a second mint", async () => {
    expect(
      await over(
        [11, change("1", alice)],
        [13, change("1", bob)],
        [13, change("1", alice)],
        [15, change("1", undefined)],
        [16, change("1", alice)],
        [16, change("1", undefined)],
        [18, change("1", bob)],
        [19, change("1", bob)],
      ),
    ).toEqual([
      ["1", alice, 11n, 14n, 4n],
      ["1", bob, 18n, 20n, 3n],
    ]);
  });

  test("objects are their tokens from the mint to the burn", async () => {
    expect(
      await over(
        [2, ofObject(object(1), bob)],
        [9, change("1", alice, object(1))],
        [12, ofObject(object(1), bob)],
        [12, ofObject(object(2), alice)],
        [15, ofObject(object(1), undefined)],
        [15, change("1", undefined)],
        [15, change("1", alice, object(3))],
        [16, ofObject(object(1), bob)],
        [17, ofObject(object(3), bob)],
      ),
    ).toEqual([
      ["1", alice, 10n, 11n, 2n],
      ["1", bob, 12n, 14n, 3n],
      ["1", alice, 15n, 16n, 2n],
      ["1", bob, 17n, 20n, 4n],
    ]);
  });
});

test("holdings are those after the last block, since the owner got them", async () => {
  const played: readonly Played[] = [
    [1, change("b", alice)],
    [2, change("a", alice)],
    [3, change("c", alice)],
    [8, change("b", bob)],
    [8, change("b", alice)],
    [14, change("a", bob)],
    [20, change("c", undefined)],
    [21, change("b", bob)],
  ];
  expect(await collect("nft_holdings", played, window)).toEqual([
    ["a", bob, 14n],
    ["b", alice, 1n],
  ]);
});

test("a window without changes has no holdings", async () => {
  expect(await collect("nft_holdings", [], window)).toEqual([]);
});

test("IDs are ordered by their bytes", async () => {
  const random = fc.sample(fc.string({ unit: "binary" }), { seed: fuzzSeed(), numRuns: fuzzRuns(500) });
  const ids = [...new Set([...random, "\u{1F600}", "\uFFFD"])];
  const minted = ids.map((id): Played => [3, change(id, alice)]);
  const rows = await collect("nft_holdings", minted, window);
  expect(rows.map(([id]) => id)).toEqual(
    ids.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
});

test("a signal ends the sorting of changes, with its reason", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "changes.parquet");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = `select n as height, '${cats}' as collection, sha256(n::varchar) as token_id, '' as object, '${alice}' as owner from range(500000) as r(n)`;
  await connection.run(`copy (${rows}) to '${file}' (format parquet)`);
  connection.closeSync();
  instance.closeSync();
  const changes: SourceData = {
    name: "cats",
    kind: "nft_changes",
    files: [file],
    reversed: [],
    lastHeight: undefined,
    digest: "",
    columns: nftChangeColumns,
    rows: 500_000,
  };
  const abort = new AbortController();
  const reason = new Error("enough");
  const reading = readByToken(changes, { folder, signal: abort.signal }).next();
  setImmediate(() => abort.abort(reason));
  await expect(reading).rejects.toBe(reason);
});

test("an ID that is not Unicode is refused", async () => {
  await expect(collect("nft_holdings", [[3, change("\uD800", alice)]], window)).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringContaining("block 3"),
  });
});
