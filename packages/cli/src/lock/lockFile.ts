import { rmSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { systemErrorCode } from "@vipscore/core";
import SqliteDatabase from "better-sqlite3";

/** A lock on a file. */
export interface FileLock {
  release(): void;
}

/**
 * Locks a file for this process, and creates it if needed; undefined if another process holds it.
 *
 * It is SQLite's lock on an empty database, into which nothing is ever written: the operating system holds it, and releases it
 * however the process ends. So no lock is ever stale, no process id is compared, and processes of containers that share a folder
 * see each other. A release removes the file; one that a killed process left locks nothing.
 *
 * @throws Error of the system or of SQLite, with a `code`, where the file cannot be made or is something else.
 */
export async function lockFile(path: string): Promise<FileLock | undefined> {
  await createEmpty(path);
  const before = await inodeOf(path);
  const database = new SqliteDatabase(path, { timeout: 0 });
  try {
    // Else SQLite makes a second file beside it.
    database.pragma("journal_mode = memory");
    database.exec("begin immediate");
    // Whoever held it before may have removed it in the meantime: then others lock another file of this name.
    if (before === undefined || (await inodeOf(path)) !== before) {
      database.close();
      return undefined;
    }
  } catch (error) {
    database.close();
    if (systemErrorCode(error) === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return { release: () => release(path, database) };
}

function release(path: string, database: SqliteDatabase.Database): void {
  try {
    // Removed while it is locked: afterwards it may be another process's. Windows keeps a file that is open.
    rmSync(path, { force: true });
  } catch {
    // An empty file more does no harm.
  } finally {
    database.close();
  }
}

/** A file that is there is not even opened: closing it would release a lock that this process has on it. */
async function createEmpty(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

async function inodeOf(path: string): Promise<bigint | undefined> {
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
