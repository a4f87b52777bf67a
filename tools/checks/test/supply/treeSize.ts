import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Size of installed packages. */
export interface TreeSize {
  readonly packages: number;
  /** Sum of the sizes of all files, in millions of bytes. */
  readonly megabytes: number;
}

/** Measures packages of a lock file; those of another platform are not installed and have no bytes. */
export function treeSize(root: string, folders: readonly string[]): TreeSize {
  const installed = folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  return { packages: folders.length, megabytes: installed.reduce((sum, folder) => sum + bytesOf(folder), 0) / 1e6 };
}

/** Counts no packages inside the folder: the lock file lists those too. */
function bytesOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += statSync(path).size;
    else if (entry.isDirectory() && entry.name !== "node_modules") bytes += bytesOf(path);
  }
  return bytes;
}
