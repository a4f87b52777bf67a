import { lstat } from "node:fs/promises";
import { fileUnwritable, InputError, systemErrorCode, writeWholeFile } from "@vipscore/core";

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

/** The contents of a file, in order. */
type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Writes a new file, completely or not at all.
 *
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function writeNewFile(path: string, name: string, pieces: Pieces): Promise<void> {
  await refuseExisting(path, name);
  try {
    await writeWholeFile(path, stillNew(path, name, pieces));
  } catch (error) {
    throw error instanceof InputError ? error : fileUnwritable(name, error);
  }
}

/** Yields the pieces; throws after the last one if another process created the file meanwhile. */
async function* stillNew(path: string, name: string, pieces: Pieces): AsyncGenerator<string> {
  yield* pieces;
  await refuseExisting(path, name);
}
