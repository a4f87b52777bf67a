import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { fileUnwritable, InputError } from "@vipscore/core";
import { systemErrorCode } from "./valueAt.ts";

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
export async function writeWholeFile(path: string, name: string, pieces: AsyncIterable<string>): Promise<void> {
  await refuseExisting(path, name);
  // Written aside and renamed, so that a crash cannot leave half a file.
  const aside = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(aside, pieces, { flag: "wx" });
    await refuseExisting(path, name);
    await rename(aside, path);
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") await rm(aside, { force: true });
    throw error instanceof InputError ? error : fileUnwritable(name, error);
  }
}
