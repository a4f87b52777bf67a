import { createApi, openStore, serveApi } from "@vipscore/indexer";

/**
 * A separate process that serves a database: `indexerServer <database>`. Sends its URL to its parent. Answers every
 * message with its memory in bytes and its CPU time in seconds. Ends with its parent.
 */
const store = await openStore(process.argv[2] ?? ":memory:");
const server = await serveApi({ api: createApi({ store }), host: "127.0.0.1", port: 0 });
process.on("message", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.send?.({
    rss: process.memoryUsage.rss(),
    peakRss: maxRSS * 1024,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000,
  });
});
process.on("disconnect", () => process.exit(0));
process.send?.(server.url);
