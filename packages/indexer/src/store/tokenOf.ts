import { addressOfBytes } from "./addressBytes.ts";
import type { TokenState } from "./blockState.ts";
import type { Tables } from "./tables.ts";

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
