import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import type { BlockRange } from "../../src/index.ts";
import type { NftKind } from "../../src/sources/nft/nftChangesSource.ts";
import { nftSource } from "../nftSources.ts";
import { rowsOf } from "../rowsOf.ts";
import { addTo, runExample } from "./exampleRun.ts";
import { nftActions, playNfts, type NftWorld } from "./nftWorld.ts";

const seed = fuzzSeed();
/** A chain, and a window of its blocks. */
const chains = fc.record({
  actions: nftActions,
  skipped: fc.nat(8),
  left: fc.nat(4),
  width: fc.integer({ min: 1, max: 7 }),
});

function windowOf({ height }: NftWorld, skipped: number, left: number): BlockRange {
  const last = Math.max(1, height - left);
  return { first: Math.min(last, 1 + skipped), last };
}

/** The periods in which a token has one owner at the ends of all blocks of a range, as `nft_holdings_over_time` has them. */
function periodsIn({ ownersAfter }: NftWorld, { first, last }: BlockRange): readonly string[] {
  const open = new Map<string, { owner: string; from: number }>();
  const periods: string[] = [];
  for (let height = first; height <= last + 1; height += 1) {
    const owners = height > last ? new Map<string, string>() : ownersAfter(height);
    for (const [token, { owner, from }] of open) {
      if (owners.get(token) === owner) continue;
      periods.push(`${token} ${owner} ${from} ${height - 1} ${height - from}`);
      open.delete(token);
    }
    for (const [token, owner] of owners) if (!open.has(token)) open.set(token, { owner, from: height });
  }
  return periods.sort();
}

async function collect(kind: NftKind, { changes }: NftWorld, window: BlockRange, width: number) {
  const folder = temporaryFolder();
  return rowsOf(await nftSource(kind, "tokens", changes, window, { width }).collect({ folder }));
}

test("holdings, and holdings over time, are those of an independent model", async () => {
  await fc.assert(
    fc.asyncProperty(chains, async ({ actions, skipped, left, width }) => {
      const world = playNfts(actions);
      const window = windowOf(world, skipped, left);
      const periods = await collect("nft_holdings_over_time", world, window, width);
      expect(periods.map((row) => row.join(" ")).sort()).toEqual(periodsIn(world, window));
      const { last } = window;
      const held = periodsIn(world, { first: 1, last }).flatMap((period) => {
        const [collection, tokenId, owner, since, until] = period.split(" ");
        return until === `${last}` ? [[collection, tokenId, owner, since].join(" ")] : [];
      });
      const holdings = await collect("nft_holdings", world, window, width);
      expect(holdings.map((row) => row.join(" ")).sort()).toEqual(held);
    }),
    { seed, numRuns: fuzzRuns(60) },
  );
});

test("the example nft-holders gives the scores of an independent model", async () => {
  await fc.assert(
    fc.asyncProperty(chains, async ({ actions, skipped, left, width }) => {
      const world = playNfts(actions);
      const window = windowOf(world, skipped, left);
      const expected = new Map<string, bigint>();
      for (let height = window.first; height <= window.last; height += 1) {
        for (const owner of world.ownersAfter(height).values()) addTo(expected, owner, 1n);
      }
      const tokens = nftSource("nft_holdings_over_time", "tokens", world.changes, window, { width });
      expect(await runExample("nft-holders", [tokens])).toEqual(expected);
    }),
    { seed, numRuns: fuzzRuns(4) },
  );
});
