import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { until } from "./until.ts";

/** A PostgreSQL server. */
export interface StartedPostgres {
  /** URL of its database `postgres`; the user may create others. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(new URL("postgresProcess.ts", import.meta.url));

/** A PostgreSQL server, and a standby that replays what it writes. */
export interface ReplicatedPostgres extends StartedPostgres {
  /** URL of the standby's copy of a database. */
  readonly onStandby: (url: string) => string;
  /** Resolves when the standby has replayed what is committed now. */
  readonly untilReplayed: () => Promise<void>;
}

/**
 * Starts the PostgreSQL server of an npm package on 127.0.0.1, in a process that ends with this one.
 *
 * @throws Error when it does not start; standard error shows why.
 */
export async function startPostgres(): Promise<StartedPostgres> {
  const { urls, stop } = await startServers([]);
  return { url: urls[0], createDatabase: (name) => createDatabase(urls[0], name), stop };
}

/**
 * Starts two such servers, one of which is a streaming replica of the other and never waits for a read to end.
 *
 * @throws Error when one does not start; standard error shows why.
 */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const {
    urls: [url, standbyUrl = ""],
    stop,
  } = await startServers(["standby"]);
  return {
    url,
    createDatabase: (name) => createDatabase(url, name),
    onStandby: (primaryUrl) => Object.assign(new URL(primaryUrl), { port: new URL(standbyUrl).port }).href,
    untilReplayed: async () => {
      const [committed] = await query(url, "select pg_current_wal_flush_lsn() as lsn");
      const text = `select pg_last_wal_replay_lsn() >= '${String(committed?.["lsn"])}' as done`;
      await until("the standby's replay", async () => (await query(standbyUrl, text))[0]?.["done"] === true);
    },
    stop,
  };
}

async function startServers(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  const lines = createInterface(child.stdout);
  const [ports] = (await Promise.race([once(lines, "line"), ended.then(() => [])])) as readonly unknown[];
  if (typeof ports !== "string") throw new Error("PostgreSQL did not start");
  const urlOf = (port: string): string => `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const [port = "", ...others] = ports.split(" ");
  return { urls: [urlOf(port), ...others.map(urlOf)] as const, stop };
}

/** Creates an empty database on the PostgreSQL server at a URL, and returns the database's URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `create database ${pg.escapeIdentifier(name)}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

/** The size of the database at a URL, with its indexes. */
export async function databaseBytes(url: string): Promise<number> {
  const [row] = await query(url, "select pg_database_size(current_database()) as bytes");
  return Number(row?.["bytes"]);
}

/** Runs a statement on the database at a URL, and returns its rows. */
export async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
