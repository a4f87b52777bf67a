import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileUnwritable } from "@vipscore/core";
import type { Context } from "../../context.ts";

/** The folder of everything that this command stores, relative to the current one. */
const ownFolder = ".vipscore";

/**
 * Creates an empty folder for what is read from the rollup, which is removed when the command ends.
 *
 * @returns Its path relative to the current folder.
 * @throws InputError `FILE_UNWRITABLE`.
 */
export async function temporaryData({ io, atEnd }: Context): Promise<string> {
  const parent = join(io.cwd, ownFolder);
  try {
    const created = await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "audit-"));
    atEnd(async () => {
      await rm(folder, { recursive: true, force: true });
      // Only if nothing else was stored in it meanwhile.
      if (created !== undefined) await rmdir(parent).catch(() => undefined);
    });
    return relative(io.cwd, folder);
  } catch (error) {
    throw fileUnwritable(ownFolder, error);
  }
}
