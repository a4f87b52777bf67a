import { expect } from "vitest";
import { parseAccount } from "@vipscore/core";
import { getStatus, openIndexer, tokensByCollection } from "@vipscore/indexer-client";
import { startIndexer, type IndexerSource } from "../../src/startIndexer.ts";

/** A token's ID and its owner in lower-case hex. */
export type Holding = readonly [tokenId: string, owner: string];

/** The owners of a collection's tokens as the indexer serves them once it has a block; by ID. Later blocks must not change them. */
export async function servedHoldings(
  source: IndexerSource,
  collection: string,
  height: number,
): Promise<readonly Holding[]> {
  const running = await startIndexer({ source, pollMs: 20 });
  try {
    const indexer = openIndexer(running.url);
    await expect.poll(async () => (await getStatus(indexer)).height).toBeGreaterThanOrEqual(height);
    const held: Holding[] = [];
    for await (const { nft, owner } of tokensByCollection(indexer, collection)) {
      held.push([nft.token_id, parseAccount(owner, { accountBytes: [20, 32] })]);
    }
    return held.sort(([one], [other]) => (one < other ? -1 : 1));
  } finally {
    await running.stop();
  }
}
