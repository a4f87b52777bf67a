import { once } from "node:events";
import { endProcess, nextMessage, startProcess } from "./childProcess.ts";
import type { IngestResult } from "./indexerIngest.ts";
import type { MixResult } from "./indexerLoad.ts";
import { readUsage } from "./indexerReads.ts";

/** Measurements of a database under load. */
export interface IndexerLoad {
  readonly ingest: IngestResult;
  readonly mixes: readonly MixResult[];
  /** CPU time of the server's process for all mixes, in seconds; without the database's. */
  readonly serverCpuSeconds: number;
  readonly serverPeakRss: number;
}

/**
 * Fills a new database in one process, serves it in another and reads each mix from a third one with 50 readers.
 *
 * @param requests - Measured requests of a mix.
 * @param database - A path without a file, or the URL of an empty PostgreSQL database.
 */
export async function measureIndexerLoad(tokens: number, requests: number, database: string): Promise<IndexerLoad> {
  const filler = startProcess(new URL("./indexerIngest.ts", import.meta.url), [database, String(tokens)]);
  const ingest = (await nextMessage(filler)) as IngestResult;
  const server = startProcess(new URL("./indexerServer.ts", import.meta.url), [database]);
  try {
    const url = String(await nextMessage(server));
    const before = await readUsage(server);
    const readers = startProcess(new URL("./indexerLoad.ts", import.meta.url), [url, String(tokens), String(requests)]);
    const mixes: MixResult[] = [];
    readers.on("message", (message) => mixes.push(message as MixResult));
    const [status] = (await once(readers, "exit")) as readonly unknown[];
    if (status !== 0) throw new Error(`the readers ended with ${String(status)}`);
    const after = await readUsage(server);
    return { ingest, mixes, serverCpuSeconds: after.cpuSeconds - before.cpuSeconds, serverPeakRss: after.peakRss };
  } finally {
    await endProcess(server);
  }
}
