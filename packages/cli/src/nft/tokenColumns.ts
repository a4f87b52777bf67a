import type { NftToken } from "@vipscore/indexer-client";
import type { Column, RowsFormat } from "../output/table.ts";
import { spellOwner } from "./nftAddress.ts";

type TokenColumn = Column<NftToken>;

const collection: TokenColumn = { title: "collection", value: (token) => token.collection_addr };
const tokenId: TokenColumn = { title: "token_id", value: ({ nft }) => nft.token_id };
const owner: TokenColumn = { title: "owner", value: (token) => spellOwner(token.owner) };
const height: TokenColumn = { title: "height", value: (token) => String(token.height), isNumber: true };
const time: TokenColumn = { title: "timestamp", value: ({ timestamp }) => timestamp };
const uri: TokenColumn = { title: "uri", value: ({ nft }) => nft.uri };

/**
 * Returns the columns of a token listing. A table omits the columns that are the same on every line; CSV has all.
 *
 * @param given Which arguments restrict the listing.
 */
export function tokenColumns(
  format: RowsFormat,
  given: { readonly account: boolean; readonly collection: boolean },
): readonly TokenColumn[] {
  if (format === "csv") return [collection, tokenId, owner, height, time, uri];
  return [...(given.collection ? [] : [collection]), tokenId, ...(given.account ? [] : [owner]), height, time];
}
