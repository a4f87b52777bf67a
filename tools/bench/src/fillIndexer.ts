import { stat } from "node:fs/promises";
import { databaseBytes } from "@vipscore/testkit/startPostgres";
import { endProcess, nextMessage, startProcess } from "./childProcess.ts";
import type { IngestResult } from "./indexerIngest.ts";

/** A filled database. */
export interface Filled extends IngestResult {
  /** CPU time of the played node, in seconds. */
  readonly nodeCpuSeconds: number;
  readonly diskBytes: number;
}

/**
 * Fills a new database as `vipscore indexer` does: in one process, from a node that another process plays.
 *
 * @param tokens - Size of the large collection.
 * @param database - A path without a file, or the URL of an empty PostgreSQL database.
 */
export async function fillIndexer(tokens: number, database: string): Promise<Filled> {
  const node = startProcess(new URL("./playedServer.ts", import.meta.url), ["tokens", String(tokens)]);
  try {
    const { url, last } = (await nextMessage(node)) as { readonly url: string; readonly last: number };
    const filler = startProcess(new URL("./indexerIngest.ts", import.meta.url), [database, url, String(last)]);
    const ingest = (await nextMessage(filler)) as IngestResult;
    await endProcess(filler);
    node.send("cpu");
    const nodeCpuSeconds = (await nextMessage(node)) as number;
    const isUrl = database.includes("://");
    const diskBytes = isUrl ? await databaseBytes(database) : (await stat(database)).size;
    return { ...ingest, nodeCpuSeconds, diskBytes };
  } finally {
    await endProcess(node);
  }
}
