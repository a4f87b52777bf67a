import { formatChecksummed, parseAccount } from "@vipscore/core";
import type { NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import type { Column, RowsFormat } from "./rowsText.ts";

type TokenColumn = Column<NftToken>;

const collection: TokenColumn = { title: "collection", value: (token) => token.collection_addr };
const tokenId: TokenColumn = { title: "token_id", value: ({ nft }) => nft.token_id };
const owner: TokenColumn = { title: "owner", value: (token) => spellOwner(token.owner) };
const height: TokenColumn = { title: "height", value: (token) => String(token.height), isNumber: true };
const time: TokenColumn = { title: "timestamp", value: ({ timestamp }) => timestamp };
const uri: TokenColumn = { title: "uri", value: ({ nft }) => nft.uri };

/**
 * What is told of a token. A table leaves out the column that has the same on every line, and a CSV has all.
 *
 * @param asked What the listing is of.
 */
export function tokenColumns(
  format: RowsFormat,
  asked: { readonly account: boolean; readonly collection: boolean },
): readonly TokenColumn[] {
  if (format === "csv") return [collection, tokenId, owner, height, time, uri];
  return [...(asked.collection ? [] : [collection]), tokenId, ...(asked.account ? [] : [owner]), height, time];
}

/** `0x` hex as everywhere in this command; what is no address, which only a foreign server would list, as it is. */
export function spellOwner(spelling: string): string {
  let hex: string;
  try {
    hex = decodeAddress(spelling);
  } catch {
    return spelling;
  }
  return spellAddress(hex);
}

/** An address in lower-case `0x` hex with the capitals of EIP-55, where it has 20 bytes. */
export function spellAddress(hex: string): string {
  // The zero address is no account, and has no letters.
  return /^0x0+$/.test(hex) ? hex : formatChecksummed(parseAccount(hex, { accountBytes: [20, 32] }));
}
