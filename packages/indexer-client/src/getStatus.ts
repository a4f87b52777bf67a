import { checkAnswer, count, text, type Shape } from "./checkAnswer.ts";
import type { Indexer, IndexerRequest } from "./openIndexer.ts";

/** The status that an indexer reports about itself; may have more fields. */
export interface IndexerStatus {
  readonly version: string;
  readonly commit_hash: string;
  readonly chain_id: string;
  /** Newest indexed block. */
  readonly height: number;
}

const statusShape: Shape<IndexerStatus> = { version: text, commit_hash: text, chain_id: text, height: count };

/**
 * Reads which chain an indexer serves and its newest indexed block.
 *
 * @throws IndexerRequestError; the signal's reason when aborted.
 * @example
 * const { chain_id, height } = await getStatus(indexer);
 */
export async function getStatus(indexer: Indexer, request?: IndexerRequest): Promise<IndexerStatus> {
  const path = "/status";
  return checkAnswer(await indexer.get(path, request), statusShape, indexer.endpoint + path);
}
