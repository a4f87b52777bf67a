import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The newest glibc that the programs may need; Debian 12, Ubuntu 22.04 and RHEL 9 have it. */
const newestGlibc = "2.34";

/**
 * Checks that the programs hold no path of the machine that built them, and that they run on systems as old as promised.
 *
 * @param paths Folders of this machine.
 * @returns the oldest glibc that has all that they need; undefined where there is no glibc.
 * @throws Error naming the file and the path or version.
 */
export function checkBinaries(folder: string, files: readonly string[], paths: readonly string[]): string | undefined {
  let needed: string | undefined;
  for (const file of files) {
    const bytes = readFileSync(join(folder, file));
    const found = paths.find((path) => bytes.includes(path));
    if (found !== undefined) throw new Error(`${file} contains the path ${found}`);
    for (const [, version = ""] of bytes.toString("latin1").matchAll(/\0GLIBC_(\d+\.\d+)(?:\.\d+)?(?=\0)/g)) {
      if (needed === undefined || compareVersions(version, needed) > 0) needed = version;
    }
  }
  if (needed !== undefined && compareVersions(needed, newestGlibc) > 0) {
    throw new Error(`the programs need glibc ${needed}: build them on a system that is older`);
  }
  return needed;
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
