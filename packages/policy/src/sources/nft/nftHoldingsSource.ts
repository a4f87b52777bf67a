import type { BlockRange } from "../../chain/chainSource.ts";
import { writeSource } from "../../data/writeSource.ts";
import type { CollectOptions, PolicySource, SourceColumn, SourceData, SourceRow } from "../policySource.ts";
import type { NftDefinition } from "./nftChangesSource.ts";
import { OwnerPeriods, type OwnerPeriod } from "./ownerPeriods.ts";
import { readByToken } from "./readByToken.ts";

/** The columns that name a token and its owner. */
const ofToken = [
  { name: "collection", type: "address" },
  { name: "token_id", type: "text" },
  { name: "owner", type: "address" },
] as const satisfies readonly SourceColumn[];

/** Form in which each kind of source shows the owners of tokens. */
const forms = {
  nft_holdings: {
    /** `since`: the height at which the owner got the token. */
    columns: [...ofToken, { name: "since", type: "integer", stored: "bigint" }],
    rowsOf: holdingOf,
  },
  nft_holdings_over_time: {
    /** `first` and `last` are heights of the window, both included; `blocks` is how many these are. */
    columns: [
      ...ofToken,
      { name: "first", type: "integer", stored: "bigint" },
      { name: "last", type: "integer", stored: "bigint" },
      { name: "blocks", type: "integer", stored: "bigint" },
    ],
    rowsOf: heldInside,
  },
} as const satisfies Readonly<Record<NftDefinition["kind"], object>>;

/**
 * Derives the owners of tokens from their changes. Owners are those after each block: a token that is transferred in a block
 * belongs to its new owner from that block on. Rows are ordered by collection, by the bytes of the ID, and by height.
 *
 * `collect` also throws errors of {@link readByToken}.
 *
 * @param changes The rows of `nftChangesSource`, up to the window's last block.
 */
export function nftHoldingsSource(
  { name, kind }: Pick<NftDefinition, "name" | "kind">,
  changes: PolicySource,
  window: BlockRange,
): PolicySource {
  const { columns, rowsOf } = forms[kind];
  const source = { name, kind, columns };
  return {
    ...source,
    async collect(options) {
      const stored = await changes.collect(options);
      return writeSource(
        source,
        inBatches(stored, (period) => rowsOf(period, window), options),
        options,
      );
    },
  };
}

async function* inBatches(
  changes: SourceData,
  rowsOf: (period: OwnerPeriod) => readonly SourceRow[],
  options: CollectOptions,
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const periods = new OwnerPeriods();
  for await (const batch of readByToken(changes, options)) {
    yield batch.flatMap((change) => periods.add(change)).flatMap(rowsOf);
  }
  yield periods.finish().flatMap(rowsOf);
}

function holdingOf({ collection, tokenId, owner, first, end }: OwnerPeriod): readonly SourceRow[] {
  return end === undefined ? [[collection, tokenId, owner, BigInt(first)]] : [];
}

function heldInside(period: OwnerPeriod, window: BlockRange): readonly SourceRow[] {
  const { collection, tokenId, owner, end = Number.POSITIVE_INFINITY } = period;
  const first = Math.max(window.first, period.first);
  const last = Math.min(window.last, end - 1);
  return first > last ? [] : [[collection, tokenId, owner, BigInt(first), BigInt(last), BigInt(last - first + 1)]];
}
