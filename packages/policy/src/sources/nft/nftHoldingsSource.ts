import type { CheckError } from "@vipscore/core";
import type { BlockRange } from "../../chain/chainSource.ts";
import { readRows } from "../../data/readRows.ts";
import { writeSource } from "../../data/writeSource.ts";
import { policyLimit } from "../../policyError.ts";
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
    columns: [...ofToken, { name: "since", type: "integer", stored: "bigint" }],
    from: ({ last }: BlockRange) => last,
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
    from: ({ first }: BlockRange) => first,
    rowsOf: periodsOf,
  },
} as const satisfies Readonly<Record<NftDefinition["kind"], object>>;

/** Maximum number of tokens and periods, which are held in memory: up to 1.3 GiB, on Move 1.5 GiB. */
const maxSize = 5_000_000;

/** Number of tokens whose rows are one batch. */
const batchTokens = 2048;

/**
 * Derives the owners of tokens from their changes. Owners are those after each block: a token that is transferred in a block
 * belongs to its new owner from that block on. Rows are ordered by collection, by the bytes of the ID, and by height.
 *
 * `collect` also throws CheckError `POLICY_LIMIT` for more tokens and periods than `limit`.
 *
 * @param changes The rows of `nftChangesSource`, up to the window's last block.
 */
export function nftHoldingsSource(
  { name, kind }: Pick<NftDefinition, "name" | "kind">,
  changes: PolicySource,
  window: BlockRange,
  limit = maxSize,
): PolicySource {
  const { columns, from, rowsOf } = forms[kind];
  const source = { name, kind, columns };
  return {
    ...source,
    async collect(options) {
      const history = new NftHistory(from(window));
      const stored = await changes.collect(options);
      for await (const rows of readRows(stored, options)) {
        for (const row of rows) history.apply(readChangeRow(row));
        if (history.size > limit) throw tooMany(name, limit);
      }
      return writeSource(
        source,
        inBatches(history.tokens(), (token) => rowsOf(token, window)),
        options,
      );
    },
  };
}

function tooMany(name: string, limit: number): CheckError {
  const most = limit.toLocaleString("en-US");
  return policyLimit(`source ${name} has more than ${most} tokens and periods of their owners`, [
    "Divide its collections among several sources, or end the window earlier.",
  ]);
}

// eslint-disable-next-line typescript/require-await
async function* inBatches(
  tokens: readonly TokenHistory[],
  rowsOf: (token: TokenHistory) => readonly SourceRow[],
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  for (let start = 0; start < tokens.length; start += batchTokens) {
    yield tokens.slice(start, start + batchTokens).flatMap(rowsOf);
  }
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
