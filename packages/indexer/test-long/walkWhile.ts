import { getStatus, tokensByCollection, type Indexer } from "@vipscore/indexer-client";

/** Number of walks that a reader made, and number of those during indexing. */
export interface Walks {
  all: number;
  underWrites: number;
}

/** What the walks of several readers add up to. */
export function sumOf(walks: readonly Walks[], name: keyof Walks): number {
  return walks.reduce((sum, each) => sum + each[name], 0);
}

/** The collection to walk, whose tokens only move. */
export interface WalkedCollection {
  readonly collection: string;
  /** The IDs of all of its tokens. */
  readonly ids: readonly string[];
  /** Tokens per page. */
  readonly limit: number;
}

/**
 * Walks a collection repeatedly until aborted.
 *
 * @throws Error if a walk misses a token or returns it twice.
 */
export async function walkWhile(
  indexer: Indexer,
  { collection, ids, limit }: WalkedCollection,
  signal: AbortSignal,
): Promise<Walks> {
  const walks: Walks = { all: 0, underWrites: 0 };
  do {
    const { height } = await getStatus(indexer);
    const missing = new Set(ids);
    for await (const page of tokensByCollection(indexer, collection).pages({ limit })) {
      for (const { nft } of page.items) {
        if (!missing.delete(nft.token_id)) throw new Error(`token ${nft.token_id} came twice, or does not exist`);
      }
    }
    if (missing.size > 0) throw new Error(`${missing.size} tokens were missing, ${[...missing][0]} among them`);
    walks.all += 1;
    if ((await getStatus(indexer)).height > height) walks.underWrites += 1;
  } while (!signal.aborted);
  return walks;
}
