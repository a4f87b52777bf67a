import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns the size of all files in a folder, in bytes; those that are removed meanwhile have none. */
export async function diskUse(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
