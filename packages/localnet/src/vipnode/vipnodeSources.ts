import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

/** The inputs of a vipnode program: sources, pinned modules, and embedded files. */
const sourceFile = /\.(go|mv)$|^go\.(mod|sum)$|^package\.json$/;
/** Folders without inputs. */
const otherFolder = /^(node_modules|testdata|build|\..*)$/;

/**
 * Returns the folder with the Go sources of vipnode: the package `@vipscore/vipnode`, which is installed in a checkout.
 * Undefined if it is not installed.
 */
export function findVipnodeSources(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("@vipscore/vipnode/package.json"));
  } catch {
    return undefined;
  }
}

/**
 * Returns a digest of everything that a build of vipnode depends on: its sources, the compiler's version and the
 * platform.
 */
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
    // Test files are not part of the program.
    if (entry.isFile() && sourceFile.test(entry.name) && !entry.name.endsWith("_test.go")) found.push(path);
  }
  return found.sort();
}
