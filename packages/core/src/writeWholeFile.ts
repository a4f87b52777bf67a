import { randomUUID } from "node:crypto";
import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { fileUnwritable, InputError, systemErrorCode } from "./errors/inputError.ts";

/**
 * Writes a file completely or not at all: a reader, or a run after a crash, finds the old content or the new one, never a part.
 *
 * @param content Text, bytes, or pieces of text; if these throw, the file is unchanged.
 * @param mode Who may read it. Default: as the process creates files.
 * @throws Error of the system, with a `code` such as `ENOSPC`.
 */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(aside, content, { flag: "wx", mode, flush: true });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a new file, completely or not at all.
 *
 * @param name The file as given, for messages.
 * @param pieces The content, in order.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function writeNewFile(
  path: string,
  name: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  await refuseExisting(path, name);
  try {
    await writeWholeFile(path, stillNew(path, name, pieces));
  } catch (error) {
    throw error instanceof InputError ? error : fileUnwritable(name, error);
  }
}

/** Yields the pieces; throws after the last one if another process created the file meanwhile. */
async function* stillNew(
  path: string,
  name: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield* pieces;
  await refuseExisting(path, name);
}

/**
 * Refuses an existing file: earlier scores must not be replaced by accident.
 *
 * @param name The file as given, for messages.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function refuseExisting(path: string, name: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw fileUnwritable(name, error);
  }
  throw new InputError(`${name} already exists`, {
    code: "FILE_UNWRITABLE",
    metaMessages: ["Name another file, or remove this one first."],
  });
}
