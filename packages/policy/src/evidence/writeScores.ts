import { lstat, rename, rm, writeFile } from "node:fs/promises";
import {
  fileUnwritable,
  formatScores,
  InputError,
  refuseExisting,
  writeNewFile,
  type ScoreTable,
} from "@vipscore/core";
import { formatManifest, type ScoresManifest } from "@vipscore/core/manifest";

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
 * @param name The file as given, for messages.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function refuseExistingScores(path: string, name: string): Promise<void> {
  if ((await isThere(path + pendingEnd)) && !(await isThere(path))) {
    // The manifest first: without the pending file, nothing says that its scores are missing.
    for (const partial of [manifestName(path), path + pendingEnd]) {
      await rm(partial, { force: true }).catch((error: unknown) => {
        throw fileUnwritable(name, error);
      });
    }
  }
  await refuseExisting(path, name);
  await refuseExisting(manifestName(path), manifestName(name));
}

/**
 * Writes the scores of a policy and, beside them, their manifest: both or neither. The scores get their name last, and are
 * pending until then; {@link refuseExistingScores} removes what a kill leaves.
 *
 * @param name The file as given, for messages.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function writeScores(
  path: string,
  name: string,
  table: ScoreTable,
  manifest: ScoresManifest,
): Promise<void> {
  const pending = path + pendingEnd;
  const written: string[] = [];
  try {
    await writeFile(pending, "", { flag: "wx" });
    written.push(pending);
    await writeFile(pending, formatScores([table]));
    await writeNewFile(manifestName(path), manifestName(name), [formatManifest(manifest)]);
    written.unshift(manifestName(path));
    await refuseExisting(path, name);
    await rename(pending, path);
  } catch (error) {
    for (const partial of written) await rm(partial, { force: true }).catch(() => undefined);
    throw error instanceof InputError ? error : fileUnwritable(name, error);
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
