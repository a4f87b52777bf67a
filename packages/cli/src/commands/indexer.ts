import type { Command } from "commander";
import { InputError } from "@vipscore/core";
import { readNodeFile } from "@vipscore/localnet/nodeFile";
import { configOption, withOutputOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import { findDatabase } from "../indexer/findDatabase.ts";
import { findIndexedEndpoint, indexerSource, type SourceFlags } from "../indexer/indexerSource.ts";
import { untilAborted } from "../indexer/untilAborted.ts";
import { parsePort } from "../parsePort.ts";
import { readConfigFile } from "../settings/configFile.ts";

interface IndexerFlags extends SourceFlags {
  readonly database: string;
  readonly host: string;
  readonly port: number;
  readonly corsOrigin?: readonly string[];
  readonly startHeight?: number;
  readonly config?: string;
}

/** Default path of the index, relative to the current folder. */
const defaultDatabase = ".vipscore/nfts.sqlite";

/** Adds `indexer`. */
export function addIndexer(program: Command, context: Context): void {
  withOutputOptions(program.command("indexer"))
    .description("index a rollup's NFTs and serve them through the NFT indexer API until Ctrl-C")
    .option("--endpoint <url>", "the rollup's endpoint: JSON-RPC on EVM, RPC on Move and Wasm (env VIPSCORE_ENDPOINT)")
    .option("--database <file>", "SQLite file; for PostgreSQL, set env DATABASE_URL", defaultDatabase)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <port>", "port to listen on; 0 picks a free port", parsePort("--port"), 8080)
    .option("--cors-origin <origin...>", "web origins that may read the API; * for all")
    .option(
      "--start-height <n>",
      "first block of a new index; tokens that have not moved since then are missing",
      parseHeight,
    )
    .addOption(configOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ vipscore indexer\n  $ DATABASE_URL=postgres://… vipscore indexer --endpoint https://… --host 0.0.0.0",
    )
    .action((flags: IndexerFlags, command: Command) =>
      runIndexer(context, flags, command.getOptionValueSource("database") !== "default"),
    );
}

/** Follows the chain and serves the API until the signal, which is the normal end of this command. */
async function runIndexer(context: Context, flags: IndexerFlags, isFileNamed: boolean): Promise<void> {
  const { io, output, scrubber } = context;
  const config = await readConfigFile(io, flags.config);
  const endpoint = findIndexedEndpoint(io, flags, config, await readNodeFile(io.cwd));
  const { value: url, source: place } = endpoint;
  scrubber.addUrl(url);
  const source = await indexerSource(endpoint, io);
  // Imported here because it loads servers and databases, which no other command needs.
  const { serveIndexer } = await import("../indexer/serveIndexer.ts");
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
  });
  try {
    output.print(`the NFT indexer API is at ${indexer.url}, chain ID ${indexer.chainId}; press Ctrl-C to stop it`);
    output.json({ command: "indexer", url: indexer.url, chainId: indexer.chainId, database: database.title });
    await untilAborted(io.signal, indexer);
  } finally {
    await indexer.stop();
  }
  output.note("stopped; the index is kept");
}

function parseHeight(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InputError(`--start-height "${text}" is not a block height (1 or higher)`);
}
