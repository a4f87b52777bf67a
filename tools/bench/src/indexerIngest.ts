import { openStore } from "@vipscore/indexer";
import { heightOf, loadTokens } from "./indexerTokens.ts";

/** Result of filling a database. */
export interface IngestResult {
  readonly seconds: number;
  readonly changesPerSecond: number;
  readonly blocksPerSecond: number;
  /** CPU time of the process, in seconds; without the database's. */
  readonly cpuSeconds: number;
  readonly peakRss: number;
}

/**
 * A separate process that fills a new database as the follower does, with blocks of 1,000 mints:
 * `indexerIngest <database> <tokens>`. Sends an {@link IngestResult} to its parent.
 */
const [, , database = ":memory:", tokens] = process.argv;
const started = performance.now();
const store = await openStore(database);
const changes = await loadTokens(store, Number(tokens));
await store.close();
const seconds = (performance.now() - started) / 1_000;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const result: IngestResult = {
  seconds,
  changesPerSecond: changes / seconds,
  blocksPerSecond: heightOf(Number(tokens) - 1) / seconds,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  peakRss: maxRSS * 1024,
};
process.send?.(result, () => process.disconnect());
