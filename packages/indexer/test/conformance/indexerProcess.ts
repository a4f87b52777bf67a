import { startIndexer } from "../../src/index.ts";

/**
 * A separate process that follows an EVM node: `indexerProcess <JSON-RPC URL> <database>`. Sends its URL to its parent and ends
 * with it.
 */
const [, , jsonRpcUrl = "", database] = process.argv;
const indexer = await startIndexer({ source: { jsonRpcUrl }, database, pollMs: 100 });
process.on("disconnect", () => void indexer.stop().then(() => process.exit(0)));
process.send?.(indexer.url);
await indexer.ended;
