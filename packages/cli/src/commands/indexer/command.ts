import { Option, type Command } from "commander";
import { InputError } from "@vipscore/core/errors";
import type { Context } from "../../context.ts";
import { configOption, parsePort, vmOption, withOutputOptions, withPackage } from "../../options/commandOptions.ts";
import type { IndexerFlags } from "./run.ts";

/** Default path of the index, relative to the current folder. */
const defaultDatabase = ".vipscore/nfts.sqlite";

/** Adds `indexer`. */
export function addIndexer(command: Command, context: Context): void {
  withPackage(withOutputOptions(command), "@vipscore/indexer")
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
    .addOption(
      new Option("--api-only", "serve a database that another indexer fills; any number of these may run").conflicts([
        "followOnly",
        "startHeight",
        "endpoint",
        "vm",
      ]),
    )
    .option("--follow-only", "fill the database without serving listings, only /status, /healthz and /readyz")
    .option(
      "--max-lag <blocks>",
      "answer listings with status 503 while the index is this many blocks behind the chain",
      parseLag,
    )
    .addOption(vmOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ vipscore indexer\n  $ DATABASE_URL=postgres://… vipscore indexer --endpoint https://… --host 0.0.0.0\n  $ DATABASE_URL=postgres://… vipscore indexer --api-only --port 8081 --max-lag 20",
    )
    .action(async (flags: IndexerFlags) =>
      (await import("./run.ts")).runIndexer(context, flags, command.getOptionValueSource("database") !== "default"),
    );
}

function parseLag(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InputError(`--max-lag "${text}" is not a number of blocks (0 or higher)`);
}

function parseHeight(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InputError(`--start-height "${text}" is not a block height (1 or higher)`);
}
