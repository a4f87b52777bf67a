import { count, text, type Shape } from "./checkAnswer.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import type { ListingParts } from "./listing/page.ts";
import { nftPath, pinnedQuery } from "./nftRoutes.ts";
import type { Indexer } from "./openIndexer.ts";

/** A token, with the fields that the API documents; the server's other fields are kept too. */
export interface NftToken {
  /** 0x hex on every VM. */
  readonly collection_addr: string;
  readonly collection_name: string;
  readonly collection_origin_name: string;
  /** 0x hex on Move, empty elsewhere. */
  readonly object_addr: string;
  /** Bech32 on every VM; `decodeAddress` of `…/address` makes it comparable. */
  readonly owner: string;
  readonly nft: {
    /** Decimal digits up to 2^256 - 1 on EVM, any string elsewhere; unique within the collection. */
    readonly token_id: string;
    /** Location of the token's metadata; may be empty. */
    readonly uri: string;
  };
  /** Block of the last update. */
  readonly height: number;
  /** Time of the last update, RFC 3339 with up to 6 fractional digits and any offset. */
  readonly timestamp: string;
}

/** Filter and order of a collection's tokens. */
export interface TokensOptions {
  /** Only the token with this ID. */
  readonly tokenId?: string | undefined;
  /**
   * Sort by token ID, as text (`99` comes after `249`), or by height; the other breaks ties. `token_number` sorts IDs of
   * decimal digits as numbers, before all others: within one collection, and only at an indexer of vipscore, as others
   * refuse it with status 400. Default: `token_id`.
   */
  readonly orderBy?: "token_id" | "token_number" | "height" | undefined;
  /** Descending order. Default: true, as on the server. */
  readonly reverse?: boolean | undefined;
  /**
   * Paging method. `keyset`: after the last row, exact while tokens move and equally fast at any depth.
   * `offset`: by the number of rows before. Default: `keyset` for tokens of one collection, otherwise `offset`.
   */
  readonly paging?: "keyset" | "offset" | undefined;
}

interface FilteredOptions extends TokensOptions {
  /** Only tokens of this collection: 0x hex or bech32. */
  readonly collectionAddr?: string | undefined;
}

/** Filter and order of an account's tokens; the order `token_number` needs `collectionAddr`. */
export type TokensByAccountOptions = FilteredOptions &
  ({ readonly orderBy?: "token_id" | "height" | undefined } | { readonly collectionAddr: string });

const tokenShape: Shape<NftToken> = {
  collection_addr: text,
  collection_name: text,
  collection_origin_name: text,
  object_addr: text,
  owner: text,
  nft: { token_id: text, uri: text },
  height: count,
  timestamp: text,
};

/**
 * The tokens of an account. Without `collectionAddr`, paging is by offset because tokens of several collections can
 * tie, so pages read while tokens move may repeat or miss some.
 *
 * @param account `0x` hex, hex or bech32. An unknown account has no tokens.
 * @throws RangeError for an empty account or filter.
 * @example
 * const { items } = await tokensByAccount(indexer, "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz").page();
 */
export function tokensByAccount(
  indexer: Indexer,
  account: string,
  { collectionAddr, ...options }: TokensByAccountOptions = {},
): Listing<NftToken> {
  const isKeyset = collectionAddr !== undefined && options.paging !== "offset";
  return listTokens(indexer, nftPath("tokens/by_account", account), isKeyset, { ...options, collectionAddr });
}

/**
 * The tokens of a collection.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws RangeError for an empty address or filter.
 * @example
 * for await (const token of tokensByCollection(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde")) {
 *   console.log(token.nft.token_id, token.owner);
 * }
 */
export function tokensByCollection(
  indexer: Indexer,
  collectionAddr: string,
  options: TokensOptions = {},
): Listing<NftToken> {
  return listTokens(indexer, nftPath("tokens/by_collection", collectionAddr), options.paging !== "offset", options);
}

function listTokens(indexer: Indexer, path: string, isKeyset: boolean, options: FilteredOptions): Listing<NftToken> {
  return createListing<NftToken>(indexer, tokenListing(path, isKeyset, options));
}

/** @throws RangeError for an empty filter. */
export function tokenListing(
  path: string,
  isKeyset: boolean,
  { collectionAddr, tokenId, orderBy = "token_id", reverse }: FilteredOptions,
): ListingParts<NftToken> {
  return {
    path,
    field: "tokens",
    shape: tokenShape,
    query: pinnedQuery(reverse, { collection_addr: collectionAddr, token_id: tokenId, order_by: orderBy }),
    keyAfter: isKeyset ? keysetKey : undefined,
  };
}

/**
 * Returns the key of the page after a row: base64 of its height and token ID as JSON. The server then seeks the row
 * instead of counting rows from the start (recorded from a real indexer). Such pages neither repeat nor miss rows while
 * tokens move.
 */
function keysetKey(row: { readonly height: number; readonly nft: { readonly token_id: string } }): string {
  const json = JSON.stringify({ height: row.height, token_id: row.nft.token_id });
  // btoa only accepts characters up to 255, so bytes are passed as characters.
  return btoa(String.fromCharCode(...new TextEncoder().encode(json)));
}
