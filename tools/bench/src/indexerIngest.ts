import { startIndexer } from "@vipscore/indexer";

/** Result of filling a database. */
export interface IngestResult {
  /** Time until the owners of all tokens are stored, in seconds. */
  readonly ownersSeconds: number;
  /** Time until all URIs are stored, too, in seconds. */
  readonly seconds: number;
  /** CPU time of the process, in seconds; without the database's. */
  readonly cpuSeconds: number;
  readonly peakRss: number;
}

/**
 * A separate process that runs an indexer on a new database until it has all blocks and URIs of a chain:
 * `indexerIngest <database> <url> <last block>`. Sends an {@link IngestResult} to its parent.
 */
const [, , database = ":memory:", jsonRpcUrl = "", last] = process.argv;
const started = performance.now();
const secondsSoFar = () => (performance.now() - started) / 1_000;
let ownersSeconds = 0;
let finish: () => void = () => undefined;
const finished = new Promise<void>((resolve) => (finish = resolve));
const indexer = await startIndexer({
  source: { jsonRpcUrl },
  database,
  onEvent: (event) => {
    if (event.type === "waiting") console.error(event.error.message);
    if (event.type === "indexed" && event.height === Number(last)) ownersSeconds = secondsSoFar();
    if (event.type === "urisRead" && event.pendingUris === 0) finish();
  },
});
await Promise.race([finished, indexer.ended]);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const result: IngestResult = {
  ownersSeconds,
  seconds: secondsSoFar(),
  cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  peakRss: maxRSS * 1024,
};
await indexer.stop();
process.send?.(result, () => process.disconnect());
