import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { partName, type StoredPart } from "./partJournal.ts";
import { partFolders, partPath } from "./partWriter.ts";

/**
 * Removes the files that a kill left before their part was listed: the same blocks may be divided into other parts the next
 * time. The folders exist.
 *
 * @throws Error of the system.
 */
export async function removeUnlisted(folder: string, parts: readonly StoredPart[]): Promise<void> {
  for (const of of partFolders) {
    const listed = new Set(parts.map((part) => basename(partPath(folder, of, partName(part)))));
    for (const name of await readdir(join(folder, of))) {
      if (!listed.has(name)) await rm(join(folder, of, name));
    }
  }
}
