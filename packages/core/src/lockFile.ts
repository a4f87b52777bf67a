import { rmSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { systemErrorCode } from "./errors/inputError.ts";

/** A lock on a file. */
export interface FileLock {
  release(): void;
}

/** The locks of this process. The garbage collector closes a database that nothing refers to, which releases its lock. */
const locks = new Set<DatabaseSync>();

/**
 * Locks a file for this process, and creates it if needed; undefined if another process holds it.
 *
 * Uses SQLite's lock on an empty database to which nothing is written: the operating system holds it and releases it however
 * the process ends. So locks are never stale, no process ids are compared, and containers that share a folder see each other's
 * locks. Releasing the lock removes the file; a file that a killed process left behind locks nothing.
 *
 * @throws Error of the system or of SQLite, with a `code`, if the file cannot be created or is not an empty database.
 */
export async function lockFile(path: string): Promise<FileLock | undefined> {
  await createEmpty(path);
  const before = await inodeOf(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Otherwise SQLite creates a second file next to it.
    database.exec("pragma journal_mode = memory");
    database.exec("begin immediate");
    // The previous holder may have removed the file meanwhile; then other processes lock a new file of this name.
    if (before === undefined || (await inodeOf(path)) !== before) {
      database.close();
      return undefined;
    }
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw named(error);
  }
  locks.add(database);
  return { release: () => release(path, database) };
}

/** The result code SQLITE_BUSY. */
const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}

/** Node has one code for all errors of SQLite; what is wrong is in another field. */
function named(error: unknown): unknown {
  return error instanceof Error && "errstr" in error ? Object.assign(error, { code: error.errstr }) : error;
}

function release(path: string, database: DatabaseSync): void {
  try {
    // Remove it while it is locked: afterwards another process may hold it. Windows cannot remove an open file.
    rmSync(path, { force: true });
  } catch {
    // A leftover empty file does no harm.
  } finally {
    locks.delete(database);
    database.close();
  }
}

/** Creates a file. Does not open an existing one: closing it would release a lock that this process holds on it. */
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
