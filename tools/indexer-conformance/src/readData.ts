import {
  collections,
  tokensByCollection,
  type Indexer,
  type NftCollection,
  type NftToken,
} from "@vipscore/indexer-client";
import type { ChainData } from "./chainData.ts";

/** Maximum number of tokens: every request is compared with all of them. */
const maxTokens = 200_000;

/**
 * Walks an indexer to learn its data: all collections, then each collection's tokens by keyset. The result is taken as
 * the chain's data; the answers to other requests must agree with it.
 *
 * @throws IndexerRequestError; RangeError if it has more than 200,000 tokens.
 */
export async function readData(indexer: Indexer): Promise<ChainData> {
  const rows: NftCollection[] = [];
  for await (const collection of collections(indexer)) rows.push(collection);
  const tokens: NftToken[] = [];
  for (const { object_addr: addr } of rows) {
    for await (const token of tokensByCollection(indexer, addr, { reverse: false })) {
      if (tokens.length === maxTokens) throw new RangeError(`the indexer has more than ${maxTokens} tokens`);
      tokens.push(token);
    }
  }
  return { tokens, collections: rows };
}
