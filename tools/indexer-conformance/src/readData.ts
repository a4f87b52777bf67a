import {
  collections,
  tokensByCollection,
  type Indexer,
  type NftCollection,
  type NftToken,
} from "@vipscore/indexer-client";
import type { ChainData } from "./chainData.ts";

/** More tokens than this are not learned: every request is compared with all of them. */
const mostTokens = 200_000;

/**
 * Learns what an indexer has by walking it: all collections, then each one's tokens by keyset. What it says there is taken for
 * what the chain has; other requests have to agree with it.
 *
 * @throws IndexerRequestError; RangeError when it has more than 200,000 tokens.
 */
export async function readData(indexer: Indexer): Promise<ChainData> {
  const rows: NftCollection[] = [];
  for await (const collection of collections(indexer)) rows.push(collection);
  const tokens: NftToken[] = [];
  for (const { object_addr: addr } of rows) {
    for await (const token of tokensByCollection(indexer, addr, { reverse: false })) {
      if (tokens.length === mostTokens) throw new RangeError(`the indexer has more than ${mostTokens} tokens`);
      tokens.push(token);
    }
  }
  return { tokens, collections: rows };
}
