import { lstat } from "node:fs/promises";
import { fileUnwritable, InputError, systemErrorCode, writeWholeFile } from "@vipscore/core";

/**
 * Refuses a file that is there already: scores that were made before must not be replaced unseen.
 *
 * @param name The file as the person named it.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function refuseExisting(path: string, name: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw fileUnwritable(name, error);
  }
  throw new InputError(`${name} exists already`, {
    code: "FILE_UNWRITABLE",
    metaMessages: ["Name another file, or remove this one first."],
  });
}

/**
 * Writes a new file, whole or not at all.
 *
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function writeNewFile(path: string, name: string, pieces: AsyncIterable<string>): Promise<void> {
  await refuseExisting(path, name);
  try {
    await writeWholeFile(path, stillNew(path, name, pieces));
  } catch (error) {
    throw error instanceof InputError ? error : fileUnwritable(name, error);
  }
}

/** The pieces; where somebody else made the file while they were written, the last one is followed by the refusal. */
async function* stillNew(path: string, name: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces;
  await refuseExisting(path, name);
}
