import type { ChildProcess } from "node:child_process";
import { endProcess, nextMessage, startProcess } from "./childProcess.ts";
import { fillIndexer, type Filled } from "./fillIndexer.ts";
import type { Reader, ReaderResult } from "./indexerReader.ts";

/** Memory and CPU time that a server has used so far. */
export interface ServerUsage {
  /** Current and peak memory, in bytes. */
  readonly rss: number;
  readonly peakRss: number;
  /** CPU time, in seconds. */
  readonly cpuSeconds: number;
}

/** A reading, with the server's usage before and after. */
export interface Reading extends ReaderResult {
  readonly reader: Reader;
  readonly serverBefore: ServerUsage;
  readonly serverAfter: ServerUsage;
}

/** Measurements of filling and reading a database. */
export interface IndexerReads {
  readonly tokens: number;
  readonly ingest: Filled;
  readonly readings: readonly Reading[];
}

/**
 * Fills a new database, serves it in one process and reads it from another, one reader after the
 * other: the whole large collection with a plain loop over `next_key` and with the client, then pages of the large holder at
 * random depth.
 *
 * @param database - A path without a file, or the URL of an empty PostgreSQL database.
 */
export async function measureIndexerReads(tokens: number, database: string): Promise<IndexerReads> {
  const ingest = await fillIndexer(tokens, database);
  const readerFile = new URL("./indexerReader.ts", import.meta.url);
  const server = startProcess(new URL("./indexerServer.ts", import.meta.url), [database]);
  try {
    const url = String(await nextMessage(server));
    const readings: Reading[] = [];
    for (const reader of ["plain", "client", "depth"] as const) {
      const serverBefore = await readUsage(server);
      const child = startProcess(readerFile, [reader, url, String(tokens)]);
      const result = (await nextMessage(child)) as ReaderResult;
      readings.push({ reader, ...result, serverBefore, serverAfter: await readUsage(server) });
    }
    return { tokens, ingest, readings };
  } finally {
    await endProcess(server);
  }
}

/** Returns the usage of a server's process. */
export async function readUsage(server: ChildProcess): Promise<ServerUsage> {
  const answer = nextMessage(server);
  server.send("usage");
  return (await answer) as ServerUsage;
}
