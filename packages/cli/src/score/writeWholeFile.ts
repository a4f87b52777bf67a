import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { InputError } from "@vipscore/core";
import { systemErrorCode } from "../valueAt.ts";

/**
 * Refuses a file that is there already: scores that were made before must not be replaced unseen.
 *
 * @param name The file as the person named it.
 * @throws InputError `FILE_UNREADABLE`.
 */
export async function refuseExisting(path: string, name: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw unwritable(name, error);
  }
  throw new InputError(`${name} exists already`, {
    code: "FILE_UNREADABLE",
    metaMessages: ["Name another file, or remove this one first."],
  });
}

/**
 * Writes a new file, whole or not at all.
 *
 * @throws InputError `FILE_UNREADABLE`.
 */
export async function writeWholeFile(path: string, name: string, pieces: AsyncIterable<string>): Promise<void> {
  // Written aside and renamed, so that a crash cannot leave half a file.
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, pieces, { flag: "wx" });
    await refuseExisting(path, name);
    await rename(aside, path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") await rm(aside, { force: true });
    throw error instanceof InputError ? error : unwritable(name, error);
  }
}

function unwritable(name: string, cause: unknown): InputError {
  return new InputError(`${name} cannot be written`, {
    code: "FILE_UNREADABLE",
    details: systemErrorCode(cause),
    cause,
  });
}
