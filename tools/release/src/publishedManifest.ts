import type { Manifest } from "./publishOrder.ts";

/** Fields that only this repository uses: its scripts, its tools and their settings. */
const ownFields = new Set(["scripts", "devDependencies", "nx", "size-limit"]);

/** Returns the part of a package.json that users of the package need. */
export function publishedManifest(manifest: Manifest): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !ownFields.has(field))) as unknown as Manifest;
}
