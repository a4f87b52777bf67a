import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  fileUnwritable,
  formatScores,
  InputError,
  refuseExisting,
  writeNewFile,
  type ScoreTable,
} from "@vipscore/core";
import { formatManifest, type ScoresManifest } from "@vipscore/core/manifest";
import type { Io } from "../io/io.ts";

/** Returns the name of the manifest beside a score file: `scores12.manifest.json` for `scores12.csv`. */
export function manifestName(file: string): string {
  return `${file.replace(/\.csv$/i, "")}.manifest.json`;
}

/** Ends the name of a score file whose manifest may be missing. */
const pendingEnd = ".pending";

/**
 * Refuses to write scores if their file or its manifest exists. Removes what a run left behind that was killed while it wrote
 * both.
 *
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function refuseExistingScores({ cwd }: Pick<Io, "cwd">, file: string): Promise<void> {
  const path = resolve(cwd, file);
  if ((await isThere(path + pendingEnd)) && !(await isThere(path))) {
    // The manifest first: without the pending file, nothing says that its scores are missing.
    for (const left of [resolve(cwd, manifestName(file)), path + pendingEnd]) {
      await rm(left, { force: true }).catch((error: unknown) => {
        throw fileUnwritable(file, error);
      });
    }
  }
  for (const name of [file, manifestName(file)]) await refuseExisting(resolve(cwd, name), name);
}

/**
 * Writes the scores of a policy and, beside them, their manifest: both or neither. The scores get their name last, and are
 * pending until then; {@link refuseExistingScores} removes what a kill leaves.
 *
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function writeScores(
  { cwd }: Pick<Io, "cwd">,
  file: string,
  table: ScoreTable,
  manifest: ScoresManifest,
): Promise<void> {
  const path = resolve(cwd, file);
  const pending = path + pendingEnd;
  const name = manifestName(file);
  const written: string[] = [];
  try {
    await writeFile(pending, "", { flag: "wx" });
    written.push(pending);
    await writeFile(pending, formatScores([table]));
    await writeNewFile(resolve(cwd, name), name, [formatManifest(manifest)]);
    written.unshift(resolve(cwd, name));
    await refuseExisting(path, file);
    await rename(pending, path);
  } catch (error) {
    for (const left of written) await rm(left, { force: true }).catch(() => undefined);
    throw error instanceof InputError ? error : fileUnwritable(file, error);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
