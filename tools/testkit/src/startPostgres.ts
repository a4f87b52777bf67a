import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** A PostgreSQL of its own. */
export interface StartedPostgres {
  /** URL of its database `postgres`; the user may create others. */
  readonly url: string;
  /** Makes an empty database and gives its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(new URL("postgresProcess.ts", import.meta.url));

/**
 * Starts a PostgreSQL on 127.0.0.1 that npm brought along, in a process that ends with this one.
 *
 * @throws Error when it does not start; why is on standard error.
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

/** Makes an empty database in the PostgreSQL at a URL, and gives the database's own. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}
