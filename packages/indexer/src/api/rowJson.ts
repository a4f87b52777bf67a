import { formatBech32, type Account } from "@vipscore/core";
import type { HexAddress } from "../chain/nftChain.ts";
import type { CollectionRow, TokenRow, TransactionRow } from "../store/store.ts";

/** A token as the API writes it, field by field in the recorded order. */
export function tokenJson(row: TokenRow) {
  return {
    collection_addr: row.collectionAddr,
    collection_name: row.collectionName,
    collection_origin_name: "",
    object_addr: row.objectAddr ?? "",
    owner: bech32Of(row.owner),
    nft: { token_id: row.tokenId, uri: row.uri },
    height: row.height,
    timestamp: row.timestamp,
  };
}

/** A collection as the API writes it. */
export function collectionJson(row: CollectionRow) {
  return {
    object_addr: row.collectionAddr,
    collection: {
      creator: bech32Of(row.creator),
      name: row.name,
      origin_name: "",
      nfts: { handle: "", length: row.tokenCount },
    },
    height: row.height,
    timestamp: row.timestamp,
  };
}

/** A transaction as the API writes it. */
export function transactionJson({ txHash, height, timestamp }: TransactionRow) {
  return { txhash: txHash, height, timestamp };
}

function bech32Of(address: HexAddress): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- canonical bytes are what the type stands for
  return formatBech32(address as Account);
}
