import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The packages and bytes of an installation on the disk. */
export interface Installation {
  readonly packages: number;
  readonly installedBytes: number;
}

/** Counts the packages, and the bytes of their files, in every `node_modules` that npm has written below some folders. */
export async function measureInstallation(folders: readonly string[]): Promise<Installation> {
  let [packages, installedBytes] = [0, 0];
  for (const folder of folders) {
    // The cache proper: packed packages, by their digest.
    const entries = (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith("_cacache"));
    for (const path of entries) {
      if (!path.includes("node_modules/")) continue;
      const entry = await stat(join(folder, path)).catch(() => undefined);
      if (entry?.isFile() === true) installedBytes += entry.size;
      if (!path.endsWith("node_modules/.package-lock.json")) continue;
      const lock = JSON.parse(await readFile(join(folder, path), "utf8")) as { readonly packages: object };
      packages += Object.keys(lock.packages).length;
    }
  }
  return { packages, installedBytes };
}
