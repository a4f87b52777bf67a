import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { formatScores, type ScoreTable } from "@vipscore/core";
import { formatManifest, type ScoresManifest } from "@vipscore/core/manifest";
import { refuseExisting, writeNewFile } from "../files/writeNewFile.ts";
import type { Io } from "../io/io.ts";

/** Returns the name of the manifest beside a score file: `scores12.manifest.json` for `scores12.csv`. */
export function manifestName(file: string): string {
  return `${file.replace(/\.csv$/i, "")}.manifest.json`;
}

/** Refuses to write scores if their file or its manifest exists. @throws InputError `FILE_UNWRITABLE`. */
export async function refuseExistingScores({ cwd }: Pick<Io, "cwd">, file: string): Promise<void> {
  for (const name of [file, manifestName(file)]) await refuseExisting(resolve(cwd, name), name);
}

/**
 * Writes the scores of a policy and, beside them, their manifest: both or neither.
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
  await writeNewFile(path, file, formatScores([table]));
  try {
    const name = manifestName(file);
    await writeNewFile(resolve(cwd, name), name, [formatManifest(manifest)]);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}
