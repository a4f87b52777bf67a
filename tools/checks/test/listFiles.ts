import { readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** Folders that are installed, built or generated. */
const skippedFolders = new Set([
  "node_modules",
  "dist",
  "target",
  "coverage",
  "artifacts",
  "cache",
  "build",
  "testdata",
]);

/** The pages of the API, which the site is built with. */
const generatedPages = join("docs", "api");

/**
 * Lists the files below a folder that people write and that have one of the extensions (with their dot), relative to the
 * folder. Hidden folders are left out, and files that a generator writes.
 */
export function listFiles(root: string, extensions: readonly string[], folder = ""): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return extensions.includes(extname(path)) && !isGenerated(path) ? [path] : [];
    return skippedFolders.has(entry.name) || path === generatedPages || entry.name.startsWith(".")
      ? []
      : listFiles(root, extensions, path);
  });
}

function isGenerated(path: string): boolean {
  return /\.(generated\.(d\.ts|js|ts)|pb\.go|pb\.gw\.go)$/.test(path);
}
