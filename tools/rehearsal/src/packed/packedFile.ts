import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** A file of a packed package. */
export interface PackedFile {
  /** Relative to the package. */
  readonly path: string;
  readonly content: Buffer;
}

/** Reads the files of an unpacked package, by path. */
export async function readPackedFiles(folder: string): Promise<readonly PackedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.sort().map(async (path) => ({ path: relative(folder, path), content: await readFile(path) })),
  );
}
