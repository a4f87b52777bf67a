import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** What goes into a vipnode program: its sources, its pinned modules, and what is embedded. */
const sourceFile = /\.(go|mv)$|^go\.(mod|sum)$|^package\.json$/;
/** Folders that hold none of it. */
const otherFolder = /^(node_modules|testdata|build|\..*)$/;

/**
 * The folder with the Go sources of vipnode: that of the package `@vipscore/vipnode` where it is installed, as it is in a
 * checkout. Undefined where it is not.
 */
export function findVipnodeSources(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("@vipscore/vipnode/package.json"));
  } catch {
    return undefined;
  }
}

/** A digest of everything that a build of vipnode depends on: its sources, the compiler's version and the platform. */
export async function digestVipnodeSources(folder: string, toolchain: string): Promise<string> {
  const hash = createHash("sha256").update(toolchain);
  for (const path of await listSources(folder)) {
    const content = await readFile(path);
    hash.update(`\0${relative(folder, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

async function listSources(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !otherFolder.test(entry.name)) found.push(...(await listSources(path)));
    // A test's file is no part of the program.
    if (entry.isFile() && sourceFile.test(entry.name) && !entry.name.endsWith("_test.go")) found.push(path);
  }
  return found.sort();
}
