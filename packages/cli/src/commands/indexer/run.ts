import { readNodeFile } from "@vipscore/core/nodeFile";
import type { Context } from "../../context.ts";
import { findIndexedEndpoint, indexerSource, type SourceFlags } from "../../indexer/indexerSource.ts";
import { serveDatabase, serveIndexer, untilAborted } from "../../indexer/serveIndexer.ts";
import { readConfigFile } from "../../settings/configFile.ts";
import { findDatabase } from "./findDatabase.ts";

/** The flags of `indexer`. */
export interface IndexerFlags extends SourceFlags {
  readonly database: string;
  readonly host: string;
  readonly port: number;
  readonly corsOrigin?: readonly string[];
  readonly startHeight?: number;
  readonly apiOnly?: boolean;
  readonly followOnly?: boolean;
  readonly maxLag?: number;
  readonly config?: string;
}

/** Follows the chain and serves the API until the signal, which is the normal end of this command. */
export async function runIndexer(context: Context, flags: IndexerFlags, isFileNamed: boolean): Promise<void> {
  const { io, output, scrubber } = context;
  if (flags.apiOnly === true) {
    await runApi(context, flags, isFileNamed);
    return;
  }
  const config = await readConfigFile(io, flags.config);
  const endpoint = findIndexedEndpoint(io, flags, config, await readNodeFile(io.cwd));
  const { value: url, source: place } = endpoint;
  scrubber.addUrl(url);
  const source = await indexerSource(context, endpoint);
  const database = await findDatabase(io, flags.database, isFileNamed);
  output.note(`follows   ${url}  (${place})`);
  output.note(`database  ${database.title}`);
  const indexer = await serveIndexer(context, {
    source,
    database: database.value,
    host: flags.host,
    port: flags.port,
    corsOrigins: flags.corsOrigin,
    startHeight: flags.startHeight,
    listings: flags.followOnly !== true,
    maxLag: flags.maxLag,
  });
  try {
    const what = flags.followOnly === true ? "state of the index" : "NFT indexer API";
    output.print(`the ${what} is at ${indexer.url}, chain ID ${indexer.chainId}; press Ctrl-C to stop it`);
    output.json({ command: "indexer", url: indexer.url, chainId: indexer.chainId, database: database.title });
    await untilAborted(io.signal, indexer);
  } finally {
    await indexer.stop();
  }
  output.note("stopped; the index is kept");
}

/** Serves the database of another process until the signal. */
async function runApi(context: Context, flags: IndexerFlags, isFileNamed: boolean): Promise<void> {
  const { io, output } = context;
  const database = await findDatabase(io, flags.database, isFileNamed);
  output.note(`database  ${database.title}`);
  const api = await serveDatabase(context, {
    database: database.value,
    host: flags.host,
    port: flags.port,
    corsOrigins: flags.corsOrigin,
    maxLag: flags.maxLag,
  });
  try {
    output.print(`the NFT indexer API is at ${api.url}; press Ctrl-C to stop it`);
    output.json({ command: "indexer", url: api.url, database: database.title });
    await untilAborted(io.signal, undefined);
  } finally {
    await api.stop();
  }
  output.note("stopped");
}
