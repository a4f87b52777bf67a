import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import type { BlockRange } from "../src/chain/chainSource.ts";
import type { NftOwnerChange, NftOwners } from "../src/chain/nftOwners.ts";
import { writeSource } from "../src/data/writeSource.ts";
import type { PolicySource } from "../src/index.ts";
import { nftChangesSource, type NftKind } from "../src/sources/nft/nftChangesSource.ts";
import { compareUtf8 } from "../src/sources/nft/nftHistory.ts";
import { nftHoldingsSource } from "../src/sources/nft/nftHoldingsSource.ts";
import { alice, bob } from "./policyFolder.ts";
import { rowsOf } from "./rowsOf.ts";

const seed = fuzzSeed();
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

/** Collects a source over changes that are read as parts of `width` blocks. */
async function collect(kind: NftKind, played: readonly Played[], window: BlockRange, width = 3) {
  const owners: NftOwners = {
    // eslint-disable-next-line typescript/require-await
    async *read(range) {
      for (let first = range.first; first <= range.last; first += width) {
        const last = Math.min(range.last, first + width - 1);
        const heights = [...new Set(played.map(([height]) => height))].filter((at) => at >= first && at <= last);
        const changesAt = (height: number) => played.filter(([at]) => at === height).map(([, one]) => one);
        yield { first, last, lastHash: "", blocks: heights.map((height) => ({ height, changes: changesAt(height) })) };
      }
    },
  };
  const source = nftChangesSource({ name: "cats", collections: [cats] }, owners);
  const changes: PolicySource = {
    ...source,
    collect: (options) => writeSource({ ...source, name: "changes" }, batches(), options),
  };
  async function* batches() {
    const { signal } = new AbortController();
    for await (const { rows } of source.read({ first: 1, last: window.last }, signal)) yield rows;
  }
  const folder = await mkdtemp(join(tmpdir(), "vipscore-nfts-"));
  try {
    const rows = await rowsOf(await nftHoldingsSource({ name: "cats", kind }, changes, window).collect({ folder }));
    return rows.map(([, ...values]) => values);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

test("any life of tokens gives the owner of each block, however it is read in parts", async () => {
  const owner = fc.constantFrom(alice, bob, undefined);
  const life = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom("1", "2", "ü"), owner), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(life, fc.integer({ min: 1, max: 12 }), fc.nat(4), async (changes, first, more) => {
      const range = { first, last: first + more };
      const played = changes
        .map(([height, tokenId, to]): Played => [height, change(tokenId, to as `0x${string}` | undefined)])
        .sort(([one], [other]) => one - other);
      const expected: string[] = [];
      for (let height = first; height <= range.last; height += 1) {
        const state = new Map<string, string>();
        for (const [at, { token, owner: to }] of played) {
          if (at > height || !("tokenId" in token)) continue;
          if (to === undefined) state.delete(token.tokenId);
          else state.set(token.tokenId, to);
        }
        for (const [tokenId, to] of state) expected.push(`${height} ${tokenId} ${to}`);
      }
      const periods = await collect("nft_holdings_over_time", played, range, 1 + more);
      const found = periods.flatMap(([tokenId, to, from, until, blocks]) => {
        const heights = Array.from({ length: Number(blocks) }, (_, index) => Number(from) + index);
        expect(heights.at(-1)).toBe(Number(until));
        return heights.map((height) => `${height} ${String(tokenId)} ${String(to)}`);
      });
      expect(found.sort()).toEqual(expected.sort());
      const held = await collect("nft_holdings", played, range);
      expect(held.map(([tokenId, to]) => `${range.last} ${String(tokenId)} ${String(to)}`)).toEqual(
        expected.filter((text) => text.startsWith(`${range.last} `)),
      );
    }),
    { seed, numRuns: fuzzRuns(300) },
  );
});

test("IDs are ordered by their bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
      expect(Math.sign(compareUtf8(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
    }),
    { seed, numRuns: fuzzRuns(500) },
  );
  expect(compareUtf8("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
});

test("an ID that is not Unicode is refused", async () => {
  await expect(collect("nft_holdings", [[3, change("\uD800", alice)]], window)).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringContaining("block 3"),
  });
});
