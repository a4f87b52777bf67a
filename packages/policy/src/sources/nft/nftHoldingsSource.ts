import type { SignalOptions } from "@vipscore/core";
import type { BlockRange } from "../../chain/chainSource.ts";
import type { PolicySource, SourceColumn, SourceRow } from "../policySource.ts";
import { readChangeRow, type NftDefinition } from "./nftChangesSource.ts";
import { NftHistory, type TokenHistory } from "./nftHistory.ts";

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
    columns: [...ofToken, { name: "since", type: "integer" }],
    from: ({ last }: BlockRange) => last,
    rowsOf: holdingOf,
  },
  nft_holdings_over_time: {
    /** `first` and `last` are heights of the window, both included; `blocks` is how many these are. */
    columns: [
      ...ofToken,
      { name: "first", type: "integer" },
      { name: "last", type: "integer" },
      { name: "blocks", type: "integer" },
    ],
    from: ({ first }: BlockRange) => first,
    rowsOf: periodsOf,
  },
} as const satisfies Readonly<Record<NftDefinition["kind"], object>>;

/** Number of tokens whose rows are one batch. */
const batchTokens = 2048;

/**
 * Derives the owners of tokens from their changes. Owners are those after each block: a token that is transferred in a block
 * belongs to its new owner from that block on. Rows are ordered by collection, by the bytes of the ID, and by height.
 *
 * @param changes The rows of `nftChangesSource`, up to the window's last block.
 */
export function nftHoldingsSource(
  { name, kind }: Pick<NftDefinition, "name" | "kind">,
  changes: PolicySource,
  window: BlockRange,
): PolicySource {
  const { columns, from, rowsOf } = forms[kind];
  return {
    name,
    kind,
    columns,
    async *collect(options: SignalOptions = {}): AsyncGenerator<readonly SourceRow[], void, undefined> {
      const history = new NftHistory(from(window));
      for await (const rows of changes.collect(options)) for (const row of rows) history.apply(readChangeRow(row));
      const tokens = history.tokens();
      for (let start = 0; start < tokens.length; start += batchTokens) {
        yield tokens.slice(start, start + batchTokens).flatMap((token) => rowsOf(token, window));
      }
    },
  };
}

function holdingOf({ collection, tokenId, periods }: TokenHistory): readonly SourceRow[] {
  const newest = periods.at(-1);
  if (newest === undefined || newest.owner === "") return [];
  return [[collection, tokenId, newest.owner, BigInt(newest.first)]];
}

function periodsOf({ collection, tokenId, periods }: TokenHistory, window: BlockRange): readonly SourceRow[] {
  return periods.flatMap((period, index): readonly SourceRow[] => {
    const first = Math.max(window.first, period.first);
    const last = Math.min(window.last, (periods[index + 1]?.first ?? Number.POSITIVE_INFINITY) - 1);
    if (period.owner === "" || first > last) return [];
    return [[collection, tokenId, period.owner, BigInt(first), BigInt(last), BigInt(last - first + 1)]];
  });
}
