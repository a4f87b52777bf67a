import type { HexAddress } from "../chain/nftChain.ts";
import type { CollectionState, TokenState } from "./blockState.ts";
import type { Tables } from "./database.ts";

/** The bytes of an address, as stored in the tables. */
export function addressBytes(address: HexAddress): Buffer {
  return Buffer.from(address.slice(2), "hex");
}

/** The address of stored bytes. */
export function addressOfBytes(bytes: Buffer): HexAddress {
  return `0x${bytes.toString("hex")}`;
}

/** Converts a row to a token. */
export function tokenOf(row: Tables["tokens"]): TokenState {
  return {
    collectionAddr: addressOfBytes(row.collection_addr),
    tokenId: row.token_id,
    owner: addressOfBytes(row.owner),
    uri: row.uri,
    objectAddr: row.object_addr ? addressOfBytes(row.object_addr) : undefined,
    height: row.height,
    timestamp: row.timestamp,
  };
}

/** The columns of a collection that do not change. */
export type StoredCollection = Omit<Tables["collections"], "search_name" | "token_count" | "changed_at">;

/** Converts a row to a collection. */
export function collectionOf(row: StoredCollection): CollectionState {
  return {
    collectionAddr: addressOfBytes(row.collection_addr),
    name: row.name,
    creator: addressOfBytes(row.creator),
    height: row.height,
    timestamp: row.timestamp,
  };
}

/**
 * Returns the searched part of a name: its letters, marks and digits in lowercase. Works like a real indexer
 * (initia-labs/rollytics, `api/handler/nft/cache.go`), character by character; a database, or lowercasing the whole
 * text, would differ for some (final Σ, İ).
 */
export function searchName(name: string): string {
  const [...characters] = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "");
  return characters.map((character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join("");
}
