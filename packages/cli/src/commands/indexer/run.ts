import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Option, type Command } from "commander";
import { InputError, type Vm } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import { parseEndpoint, parseSecretUrl, postgresUrl } from "@vipscore/core/wire";
import type { IndexerSource, RunningIndexer, StartIndexerOptions } from "@vipscore/indexer";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import type { Io } from "../../io.ts";
import { findL1IfRegistered } from "../../l1/openL1.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import {
  bridgeIdOption,
  configOption,
  parsePort,
  parseWhole,
  rollupRestUrlOption,
  vmOption,
  withL1Options,
  withOutputOptions,
  withPackage,
} from "../../options.ts";
import type { Output } from "../../output/output.ts";
import { askEndpoint } from "../../rollup/endpoint.ts";
import type { Protocol } from "../../rollup/rollup.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readConfigFile, type ConfigFile } from "../../settings/projectFiles.ts";
import {
  checkVm,
  environmentEndpoint,
  findL1Settings,
  readSettings,
  vipOptions,
  type ConnectionFlags,
  type L1CommandFlags,
  type NamedEndpoint,
} from "../../settings/readSettings.ts";
import { firstSetting } from "../../settings/settings.ts";
import { followNotes } from "./followNotes.ts";

const defaultDatabase = ".vipscore/nfts.sqlite";

export function addIndexer(command: Command, context: Context): void {
  withL1Options(withPackage(withOutputOptions(command), "@vipscore/indexer"))
    .option("--endpoint <url>", "the rollup's endpoint: JSON-RPC on EVM, RPC on Move and Wasm (env VIPSCORE_ENDPOINT)")
    .option("--scores [contract]", "also follow a scoring contract (default: the one deployed from this folder)")
    .option("--no-nfts", "index no NFTs, only scores")
    .addOption(bridgeIdOption())
    .addOption(rollupRestUrlOption())
    .option("--database <file>", "SQLite file; for PostgreSQL, set env DATABASE_URL", defaultDatabase)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <port>", "port to listen on; 0 picks a free port", parsePort("--port"), 8080)
    .option("--cors-origin <origin...>", "web origins that may read the API (default: all)", parseOrigin)
    .option(
      "--start-height <n>",
      "first block of a new index; tokens that have not moved since then are missing",
      parseWhole("--start-height", "a block height (1 or higher)", 1),
    )
    .option(
      "--max-uri-bytes <n>",
      "keep the digest of a longer URI, and count it as left out (default: 1048576)",
      parseWhole("--max-uri-bytes", "a number of bytes (1 or higher)", 1),
    )
    .addOption(
      new Option("--api-only", "serve a database that another indexer fills; any number of these may run").conflicts([
        "followOnly",
        "scores",
        "bridgeId",
        "rollupRestUrl",
        "startHeight",
        "maxUriBytes",
        "endpoint",
        "vm",
      ]),
    )
    .option("--follow-only", "fill the database without serving listings, only /status, /healthz and /readyz")
    .option(
      "--max-lag <blocks>",
      "answer listings with status 503 while the index is this many blocks behind the chain",
      parseWhole("--max-lag", "a number of blocks (0 or higher)"),
    )
    .addOption(vmOption())
    .addOption(configOption())
    .addHelpText(
      "after",
      "\nExamples:\n  $ vipscore indexer\n  $ DATABASE_URL=postgres://… vipscore indexer --endpoint https://… --host 0.0.0.0\n  $ DATABASE_URL=postgres://… vipscore indexer --api-only --port 8081 --max-lag 20",
    )
    .action((flags: IndexerFlags) =>
      runIndexer(context, flags, command.getOptionValueSource("database") !== "default"),
    );
}

function parseOrigin(text: string, earlier: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (text === "*" || text === origin) return [...earlier, text];
  const advice =
    origin === "null" ? "an origin is scheme, host and port, such as https://app.example.org" : `write ${origin}`;
  throw new InputError(`--cors-origin ${quoteText(text)} is not a web origin: ${advice}`);
}

interface IndexerFlags extends L1CommandFlags {
  readonly endpoint?: string;
  readonly vm?: string;
  readonly scores?: string | true;
  readonly nfts?: boolean;
  readonly bridgeId?: bigint;
  readonly database: string;
  readonly host: string;
  readonly port: number;
  readonly corsOrigin?: readonly string[];
  readonly startHeight?: number;
  readonly maxUriBytes?: number;
  readonly apiOnly?: boolean;
  readonly followOnly?: boolean;
  readonly maxLag?: number;
}

/** Follows the chain and serves the API until the signal, which is the normal end of this command. */
async function runIndexer(context: Context, flags: IndexerFlags, isFileNamed: boolean): Promise<void> {
  const { io, output, scrubber } = context;
  if (flags.apiOnly === true) return runApi(context, flags, isFileNamed);
  const config = await readConfigFile(io, flags.config);
  const endpoint = findIndexedEndpoint(io, flags, config, await readNodeFile(io.cwd));
  const { value: url, source: place } = endpoint;
  scrubber.addUrl(url);
  const ofBlocks = (vm: Vm): readonly Protocol[] => rollups[vm].protocols.slice(0, 1);
  if (flags.nfts === false && flags.scores === undefined)
    throw new InputError("--no-nfts leaves nothing to index: add --scores", { code: "CONFIG_INVALID" });
  const protocol = endpoint.protocol ?? (await askEndpoint(context, endpoint, endpoint.vm, ofBlocks)).protocol;
  const { scores: named, vm } = flags;
  const ofContract = {
    ...flags,
    endpoint: url,
    ...(vm && { vm }),
    ...(typeof named === "string" && { contract: named }),
  };
  const scores = named === undefined ? undefined : await openScores(context, ofContract, flags.bridgeId);
  const database = await findDatabase(io, flags.database, isFileNamed);
  output.note(`follows   ${parseEndpoint(url, "endpoint").shown}  (${place})`);
  output.note(`database  ${database.title}`);
  const indexer = await serveIndexer(context, {
    source: sourceAt(url, protocol),
    nfts: flags.nfts,
    ...scores,
    database: database.value,
    host: flags.host,
    port: flags.port,
    corsOrigins: flags.corsOrigin ?? ["*"],
    startHeight: flags.startHeight,
    maxUriBytes: flags.maxUriBytes,
    listings: flags.followOnly !== true,
    maxLag: flags.maxLag,
  });
  try {
    const served = flags.nfts === false ? "scores API" : "NFT indexer API";
    const what = flags.followOnly === true ? "state of the index" : served;
    output.print(`the ${what} is at ${indexer.url}, chain ID ${indexer.chainId}; press Ctrl-C to stop it`);
    output.json({ command: "indexer", url: indexer.url, chainId: indexer.chainId, database: database.title });
    await untilAborted(io.signal, indexer);
  } finally {
    await indexer.stop();
  }
  output.note("stopped; the index is kept");
}

/** Opens the contract to follow, and finds the rollup's bridge and L1, if an L1 endpoint is set. */
async function openScores(
  context: Context,
  flags: ConnectionFlags,
  named: bigint | undefined,
): Promise<Pick<StartIndexerOptions, "scores" | "bridgeId" | "l1">> {
  const settings = await readSettings(context, flags);
  const scores = await connect(context, settings, flags, "none");
  if (settings.l1 === undefined) return { scores, bridgeId: named };
  const stage = await scores.getInitStage({ signal: context.signal });
  const bridgeId =
    named ?? (await findL1IfRegistered(context, settings, scores, { stage }, "no claims are served"))?.bridge.bridgeId;
  return { scores, bridgeId, l1: bridgeId === undefined ? undefined : vipOptions(settings.l1, context.signal) };
}

async function runApi(context: Context, flags: IndexerFlags, isFileNamed: boolean): Promise<void> {
  const { io, output } = context;
  const database = await findDatabase(io, flags.database, isFileNamed);
  output.note(`database  ${database.title}`);
  const { startApi } = await optionalPackage("@vipscore/indexer");
  const l1 = await findL1Settings(io, flags);
  const api = await startApi({
    database: database.value,
    host: flags.host,
    port: flags.port,
    corsOrigins: flags.corsOrigin ?? ["*"],
    maxLag: flags.maxLag,
    l1: l1 && vipOptions(l1, io.signal),
    onRequestError: requestWarnings(output),
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

/**
 * Returns the database of the index: the given file, else `DATABASE_URL`, else the default file. A URL may contain a password,
 * so it is never an argument, and its title contains no part of it.
 */
async function findDatabase(io: Io, file: string, isFileNamed: boolean): Promise<{ value: string; title: string }> {
  const url = io.env["DATABASE_URL"]?.trim() ?? "";
  if (isFileNamed && /^\w+:\/\/|:.*@/.test(file)) {
    throw new InputError("--database takes a file; a database URL may contain a password and must not be an argument", {
      code: "CONFIG_INVALID",
      metaMessages: ["Set the environment variable DATABASE_URL."],
    });
  }
  if (!isFileNamed && url !== "") {
    parseSecretUrl(url, "DATABASE_URL", postgresUrl);
    return { value: url, title: "PostgreSQL (DATABASE_URL)" };
  }
  const path = resolve(io.cwd, file);
  // Opening the file reports a folder that cannot be created.
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  return { value: path, title: file };
}

/** Returns the endpoint of the chain to follow: flag, then environment, then settings file, then the local node's file. */
function findIndexedEndpoint(
  io: Io,
  flags: IndexerFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): NamedEndpoint {
  const ofFlag = firstSetting(["--endpoint", flags.endpoint]);
  const vm = flags.vm === undefined ? undefined : checkVm({ value: flags.vm, source: "--vm" });
  // The VM shows the protocol. Other commands can use a Move rollup's REST endpoint, which the indexer cannot follow.
  const protocol = vm && rollups[vm].protocols[0];
  const ofBlocks = vms.flatMap((each) => (protocol === undefined || each === vm ? rollups[each].protocols[0] : []));
  const ofEnvironment = ofFlag === undefined ? environmentEndpoint(io.env, ofBlocks) : undefined;
  const found = ofFlag ?? ofEnvironment ?? firstSetting([config.name, config.endpoint]);
  if (found !== undefined) return { vm, protocol, ...found };
  if (node !== undefined) {
    return { value: node.rpcUrl, source: nodeFileName, vm: node.vm, protocol: rollups[node.vm].protocols[0] };
  }
  throw new InputError("no chain to follow", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node with an indexer: vipscore node --indexer",
      "Or set the rollup's endpoint (JSON-RPC on EVM, RPC on Move and Wasm) with --endpoint or VIPSCORE_ENDPOINT.",
    ],
  });
}

export function sourceAt(url: string, protocol: Protocol): IndexerSource {
  return protocol === "RPC" ? { rpcNodeUrl: url } : { jsonRpcUrl: url };
}

export async function serveIndexer(
  { io, output }: Context,
  options: Omit<StartIndexerOptions, "onEvent" | "onRequestError" | "signal">,
): Promise<RunningIndexer> {
  // It loads servers and databases, which no other command needs.
  const { startIndexer } = await optionalPackage("@vipscore/indexer");
  const onRequestError = requestWarnings(output);
  return startIndexer({ ...options, onEvent: followNotes(output), onRequestError, signal: io.signal });
}

function requestWarnings(output: Output): (error: unknown) => void {
  return (error) =>
    output.warn(`a request could not be answered: ${error instanceof Error ? error.message : String(error)}`);
}

/** Waits for the signal, which is the normal end of a command that serves. */
export async function untilAborted(signal: AbortSignal, indexer: RunningIndexer | undefined): Promise<void> {
  if (signal.aborted) return;
  await Promise.race([once(signal, "abort"), ...(indexer === undefined ? [] : [indexer.ended])]);
}
