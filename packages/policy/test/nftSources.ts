import type { BlockRange, NftOwnerChange, NftOwners } from "../src/chain/chainSource.ts";
import { writeSource } from "../src/data/writeSource.ts";
import type { PolicySource } from "../src/index.ts";
import { nftChangesSource, type NftKind } from "../src/sources/nft/nftChangesSource.ts";
import { nftHoldingsSource } from "../src/sources/nft/nftHoldingsSource.ts";

/** A change of an owner, and its block. */
export interface PlayedChange {
  readonly height: number;
  readonly change: NftOwnerChange;
}

/** A source of NFTs over changes that are read as parts of `width` blocks. */
export function nftSource(
  kind: NftKind,
  name: string,
  played: readonly PlayedChange[],
  window: BlockRange,
  { width = 3 }: { readonly width?: number } = {},
): PolicySource {
  const owners: NftOwners = {
    // eslint-disable-next-line typescript/require-await
    async *read(range) {
      for (let first = range.first; first <= range.last; first += width) {
        const last = Math.min(range.last, first + width - 1);
        const heights = [...new Set(played.map(({ height }) => height))].filter((at) => at >= first && at <= last);
        const changesAt = (at: number) => played.filter(({ height }) => height === at).map(({ change }) => change);
        yield { first, last, lastHash: "", blocks: heights.map((height) => ({ height, changes: changesAt(height) })) };
      }
    },
  };
  const source = nftChangesSource({ name, collections: [] }, owners);
  async function* batches() {
    const { signal } = new AbortController();
    for await (const { rows } of source.read({ first: 1, last: window.last }, signal)) yield rows;
  }
  const changes: PolicySource = {
    ...source,
    collect: (options) => writeSource({ ...source, name: `${name}_changes` }, batches(), options),
  };
  return nftHoldingsSource({ name, kind, collections: [] }, changes, window, owners);
}
