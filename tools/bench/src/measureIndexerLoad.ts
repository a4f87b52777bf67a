import type { ChildProcess } from "node:child_process";
import { endProcess, nextMessage, startProcess } from "./childProcess.ts";
import type { LoadOrder, LoadResult } from "./indexerLoad.ts";
import { mixes } from "./indexerMixes.ts";
import { readUsage } from "./indexerReads.ts";

/** Result of one mix. */
interface MixResult extends LoadResult {
  readonly mix: string;
  /** CPU time of the server's process, in seconds; without the database's. */
  readonly serverCpuSeconds: number;
}

/** Measurements of a database under load. */
export interface IndexerLoad {
  readonly mixes: readonly MixResult[];
  readonly serverPeakRss: number;
}

/**
 * Serves a filled database in one process and reads each mix from another one with 50 readers, after half as many
 * requests that are not measured.
 *
 * @param requests - Measured requests of a mix.
 * @param tokens - Size of the large collection.
 */
export async function measureIndexerLoad(tokens: number, requests: number, database: string): Promise<IndexerLoad> {
  const server = startProcess(new URL("./indexerServer.ts", import.meta.url), [database]);
  try {
    const url = String(await nextMessage(server));
    const readers = startProcess(new URL("./indexerLoad.ts", import.meta.url), [url, String(tokens)]);
    const results: MixResult[] = [];
    for (const mix of Object.keys(mixes)) {
      await load(readers, { mix, requests: Math.ceil(requests / 2) });
      const { cpuSeconds: before } = await readUsage(server);
      const result = await load(readers, { mix, requests });
      const { cpuSeconds: after } = await readUsage(server);
      results.push({ mix, ...result, serverCpuSeconds: after - before });
    }
    await endProcess(readers);
    const { peakRss: serverPeakRss } = await readUsage(server);
    return { mixes: results, serverPeakRss };
  } finally {
    await endProcess(server);
  }
}

async function load(readers: ChildProcess, order: LoadOrder): Promise<LoadResult> {
  const answer = nextMessage(readers);
  readers.send(order);
  return (await answer) as LoadResult;
}
