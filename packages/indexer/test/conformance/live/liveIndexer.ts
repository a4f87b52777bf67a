import { getStatus, openIndexer, type Indexer } from "@vipscore/indexer-client";
import { until } from "@vipscore/testkit/until";
import { startIndexer } from "../../../src/index.ts";
import type { LiveChain } from "./liveChain.ts";

/** An indexer that follows a live chain. */
export interface LiveIndexer extends AsyncDisposable {
  readonly url: string;
  readonly client: Indexer;
  /** Resolves once a block and the URIs of all its tokens are in the index. */
  readonly untilIndexed: (height: number) => Promise<void>;
}

/** Starts an indexer. Default database: in memory. */
export async function followLive({ source }: LiveChain, database?: string): Promise<LiveIndexer> {
  const running = await startIndexer({ source, database, pollMs: 20 });
  const client = openIndexer(running.url);
  return {
    url: running.url,
    client,
    untilIndexed: async (height) => {
      const isIndexed = async () => {
        const status = await getStatus(client);
        return status.height >= height && "pending_uris" in status && status.pending_uris === 0;
      };
      await Promise.race([running.ended, until(`block ${height} and its URIs in the index`, isIndexed)]);
    },
    [Symbol.asyncDispose]: running.stop,
  };
}
