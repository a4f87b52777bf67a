import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom, type SeededRandom } from "@vipscore/testkit/seededRandom";
import { databaseBytes, startPostgres } from "@vipscore/testkit/startPostgres";
import { startProcess } from "./childProcess.ts";
import type { Ingest, Usage } from "./indexerParts.ts";
import { accountAt, playedStage, scoreAt } from "./playedScores.ts";
import { collection, heightOf, largeHolder, ownerOf } from "./playedTokens.ts";

/**
 * Measures how fast a database fills from a played node, and how fast 50 readers get answers of each of eight mixes of new
 * requests, and of requests that come again, on SQLite and on a PostgreSQL that the bench starts: `indexerBench [--tokens N] [--accounts N] [--requests N]`. Node, indexer and server
 * have a process each; the readers are in this one.
 */
const { values } = parseArgs({
  options: {
    tokens: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "1000000" },
    requests: { type: "string", default: "1000" },
  },
});
const [tokens, accounts, requests] = [Number(values.tokens), Number(values.accounts), Number(values.requests)];
if (![tokens, accounts, requests].every((count) => Number.isSafeInteger(count) && count > 0)) {
  console.error("--tokens, --accounts and --requests are numbers from 1");
  process.exit(2);
}
/** Readers that each wait for an answer before they send the next request. */
const readers = 50;
const agent = new Agent({ keepAlive: true, maxSockets: readers });

const base = "/indexer/nft/v1";
const ofCollection = `${base}/tokens/by_collection/${collection}`;
const ofHolder = `${base}/tokens/by_account/${largeHolder}`;
/** Paths that hardly come twice. */
const newPaths: Readonly<Record<string, (random: SeededRandom) => string>> = {
  "collection, 100 after a key": (random) => `${ofCollection}?${keyOf(random.below(tokens))}`,
  "collection, 1,000 after a key": (random) => `${ofCollection}?${keyOf(random.below(tokens))}&pagination.limit=1000`,
  "collection, 100 after an offset": (random) => `${ofCollection}?pagination.offset=${random.below(tokens)}`,
  "large owner, 100 after a key": (random) => `${ofHolder}?${keyOf(random.below(tokens))}`,
  "large owner, 100 after an offset": (random) =>
    `${ofHolder}?pagination.offset=${random.below(Math.ceil(tokens * 0.9))}`,
  "small owner": (random) => `${base}/tokens/by_account/${ownerOf(10 * random.below(Math.ceil(tokens / 10)) + 9)}`,
  "one token": (random) => `${ofCollection}?token_id=${1 + random.below(tokens)}`,
  "transactions of a token": (random) => `${base}/txs/${collection}/${1 + random.below(tokens)}`,
};
const draw = seededRandom(20);
const samePaths = Array.from({ length: 20 }, () => draw.pick(Object.values(newPaths))(draw));
/** The paths that the readers ask for. */
const mixes = { ...newPaths, "20 of these, again and again": (random: SeededRandom) => random.pick(samePaths) };

const ofStage = `/scores/v1/stages/${playedStage}/accounts`;
/** The same for scores. */
const scoreMixes: Readonly<Record<string, (random: SeededRandom) => string>> = {
  "100 by score, after a key": (random) => `${ofStage}?${scoreKeyOf(random.below(accounts))}`,
  "1,000 by score, after a key": (random) => `${ofStage}?${scoreKeyOf(random.below(accounts))}&pagination.limit=1000`,
  "1,000 by account, after a key": (random) =>
    `${ofStage}?${scoreKeyOf(random.below(accounts))}&pagination.limit=1000&order_by=account`,
  "an account with its rank": (random) => `${ofStage}/${accountAt(random.below(accounts))}`,
  "an account over its stages": (random) => `/scores/v1/accounts/${accountAt(random.below(accounts))}`,
};

const folder = await mkdtemp(join(tmpdir(), "indexer-bench-"));
const postgres = await startPostgres();
try {
  await bench("SQLite", join(folder, "nfts.sqlite"));
  await bench("PostgreSQL", await postgres.createDatabase("bench"));
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}

async function bench(name: string, database: string): Promise<void> {
  const part = new URL("./indexerParts.ts", import.meta.url);
  const node = await startProcess<{ readonly url: string; readonly last: number }>(part, ["node", String(tokens)]);
  const { url, last } = node.first;
  const indexer = await startProcess<Ingest>(part, ["ingest", database, url, String(last)]);
  const ingest = { ...indexer.first, nodeCpuSeconds: ((await node.ask("usage")) as Usage).cpuSeconds };
  await indexer.end();
  const scoring = await startProcess<object>(part, ["score", database, url, String(accounts)]);
  await scoring.end();
  const proving = await startProcess<object>(part, ["prove", database, url, String(accounts)]);
  await proving.end();
  await node.end();
  const diskBytes = database.includes("://") ? await databaseBytes(database) : (await stat(database)).size;
  console.log(name);
  console.table([{ ...ingest, diskBytes }]);
  console.table([scoring.first]);
  console.table([proving.first]);

  const server = await startProcess<{ readonly url: string }>(part, ["serve", database]);
  const usage = async () => (await server.ask("usage")) as Usage;
  const rows: Record<string, object> = {};
  for (const [mix, pathOf] of Object.entries({ ...mixes, ...scoreMixes })) {
    // Half as many that are not measured, of other paths.
    await load(server.first.url, pathOf, Math.ceil(requests / 2), 35);
    const before = await usage();
    const cost = await load(server.first.url, pathOf, requests, 36);
    const { cpuSeconds } = await usage();
    rows[mix] = { ...cost, serverCpuMs: round(((cpuSeconds - before.cpuSeconds) * 1_000) / requests) };
  }
  console.table(rows);
  console.log(`server: peak ${((await usage()).peakRss / 2 ** 20).toFixed(0)} MB`);
  await server.end();
}

async function load(url: string, pathOf: (random: SeededRandom) => string, count: number, seed: number) {
  const random = seededRandom(seed);
  const paths = Array.from({ length: count }, () => pathOf(random));
  const times: number[] = [];
  const started = performance.now();
  const read = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const sent = performance.now();
      await ask(url + path);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  const seconds = (performance.now() - started) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number) => round(times[Math.min(count - 1, Math.floor(count * share))] ?? 0);
  return { requestsPerSecond: Math.round(count / seconds), p50: at(0.5), p99: at(0.99) };
}

/** Reads an answer without parsing it. */
function ask(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume().once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`status ${response.statusCode} for ${url}`));
      });
    });
    request.once("error", reject);
  });
}

function keyOf(index: number): string {
  const row = { height: heightOf(index), token_id: String(index + 1), collection_addr: collection };
  return `pagination.key=${encodeURIComponent(Buffer.from(JSON.stringify(row)).toString("base64"))}`;
}

function scoreKeyOf(index: number): string {
  const row = { score: String(scoreAt(index, accounts)), account: accountAt(index) };
  return `pagination.key=${encodeURIComponent(Buffer.from(JSON.stringify(row)).toString("base64"))}`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
