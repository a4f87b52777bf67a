import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@vipscore/testkit/startPostgres";
import { fillIndexer, type Filled } from "./fillIndexer.ts";
import { measureIndexerReads, type IndexerReads, type Reading } from "./indexerReads.ts";
import { measureIndexerLoad, type IndexerLoad } from "./measureIndexerLoad.ts";

/**
 * Measures how fast a plain loop and the client read a large collection from the indexer's server:
 * `indexerBench [--tokens N] [--database FILE|URL] [--json]`. Default database: a new SQLite file.
 *
 * With `--requests N`, how fast a database fills, and how fast 50 readers get N answers of each of eight mixes; without a
 * database on SQLite and on a PostgreSQL that the bench starts.
 */
const { values } = parseArgs({
  options: {
    tokens: { type: "string", default: "1000000" },
    database: { type: "string" },
    requests: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});
const tokens = Number(values.tokens);
if (!Number.isSafeInteger(tokens) || tokens < 1) {
  console.error(`--tokens "${values.tokens}" is not a number of tokens`);
  process.exit(2);
}
const requests = Number(values.requests);
if (!Number.isSafeInteger(requests) || requests < 0) {
  console.error(`--requests "${values.requests}" is not a number of requests`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "indexer-bench-"));
try {
  await (requests > 0 ? load() : read());
} finally {
  await rm(folder, { recursive: true });
}

async function read(): Promise<void> {
  const reads = await measureIndexerReads(tokens, values.database ?? join(folder, "nfts.sqlite"));
  if (values.json) console.log(JSON.stringify(reads));
  else print(reads);
  if (hashesOf(reads).size !== 1) throw new Error("the readers found different tokens");
}

async function load(): Promise<void> {
  const measure = async (name: string, database: string): Promise<void> => {
    const filled = await fillIndexer(tokens, database);
    console.log(values.json ? JSON.stringify({ name, ...filled }) : `${name}: ${filledText(filled)}\n`);
    const result = await measureIndexerLoad(tokens, requests, database);
    console.log(values.json ? JSON.stringify({ name, ...result }) : loadText(name, result));
  };
  if (values.database !== undefined) {
    await measure("database", values.database);
    return;
  }
  await measure("SQLite", join(folder, "nfts.sqlite"));
  const postgres = await startPostgres();
  try {
    await measure("PostgreSQL", await postgres.createDatabase("bench"));
  } finally {
    await postgres.stop();
  }
}

function filledText({ ownersSeconds, seconds, cpuSeconds, nodeCpuSeconds, peakRss, diskBytes }: Filled): string {
  const times = `all owners after ${ownersSeconds.toFixed(1)} s, all URIs after ${seconds.toFixed(1)} s`;
  const cpu = `${cpuSeconds.toFixed(1)} s of CPU, of the node ${nodeCpuSeconds.toFixed(1)} s`;
  return `${times}; ${cpu}; peak ${megabytes(peakRss)}, ${megabytes(diskBytes)} on disk`;
}

/** A table that can be pasted into a page. */
function loadText(name: string, { mixes, serverPeakRss }: IndexerLoad): string {
  const rows = mixes.map(({ mix, requestsPerSecond, p50, p99, serverCpuSeconds, cpuSeconds: readers }) => {
    const times = [p50, p99].map((ms) => ms.toFixed(0));
    const cpu = [serverCpuSeconds, readers].map((used) => ((used * 1_000) / requests).toFixed(2));
    return [mix, requestsPerSecond.toFixed(0), ...times, ...cpu];
  });
  const head = [name, "requests/s", "p50, ms", "p99, ms", "server's CPU, ms", "readers' CPU, ms"];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? "---" : "--:"))),
    ...rows.map(line),
    `\nserver: peak ${megabytes(serverPeakRss)}\n`,
  ].join("\n");
}

function hashesOf({ readings }: IndexerReads): ReadonlySet<string | undefined> {
  return new Set(readings.filter(({ reader }) => reader !== "depth").map(({ sha256 }) => sha256));
}

function print(reads: IndexerReads): void {
  const { tokens: count, ingest, readings } = reads;
  console.log(`${count} tokens: ${filledText(ingest)}\n`);
  for (const reading of readings) console.log(lineOf(reading));
  const [plain, client] = ["plain", "client"].map(
    (name) => readings.find(({ reader }) => reader === name)?.seconds ?? 0,
  );
  console.log(`\nclient ${((plain ?? 0) / (client ?? 1)).toFixed(1)} times as fast; sha256 of the sorted ids:`);
  for (const hash of hashesOf(reads)) console.log(hash);
}

function lineOf({ reader, seconds, count, peakRss, pageMs, serverBefore, serverAfter }: Reading): string {
  const cpuSeconds = serverAfter.cpuSeconds - serverBefore.cpuSeconds;
  const memory = `memory ${megabytes(serverBefore.rss)} before, ${megabytes(serverAfter.rss)} after`;
  const server = `server ${cpuSeconds.toFixed(1)} s of CPU, ${memory}, peak ${megabytes(serverAfter.peakRss)}`;
  if (pageMs === undefined) {
    return `${reader.padEnd(6)}  ${count} tokens in ${seconds.toFixed(1)} s, peak ${megabytes(peakRss)}; ${server}`;
  }
  const [p50, p95, max] = [pageMs.p50, pageMs.p95, pageMs.max].map((ms) => ms.toFixed(1));
  return `${reader.padEnd(6)}  ${count} pages of 100: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms; ${server}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
