import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A PostgreSQL server. */
export interface StartedPostgres {
  /** URL of its database `postgres`; the user may create others. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(new URL("postgresProcess.ts", import.meta.url));

/**
 * Starts the PostgreSQL server of an npm package on 127.0.0.1, in a process that ends with this one.
 *
 * @throws Error when it does not start; standard error shows why.
 */
export async function startPostgres(): Promise<StartedPostgres> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  const lines = createInterface(child.stdout);
  const [port] = (await Promise.race([once(lines, "line"), ended.then(() => [])])) as readonly unknown[];
  if (typeof port !== "string") throw new Error("PostgreSQL did not start");
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    createDatabase: (name) => createDatabase(url, name),
    stop,
  };
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

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
