import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Marks a version in Verdaccio's storage as one whose tarball has an npm-shrinkwrap.json.
 *
 * npm's own registry finds the file when a version is published. Verdaccio does not look for it, and npm ignores the shrinkwrap
 * of a dependency that is not marked.
 */
export async function markShrinkwrap(storage: string, name: string, version: string): Promise<void> {
  const file = join(storage, name, "package.json");
  const document = JSON.parse(await readFile(file, "utf8")) as { versions: Record<string, object> };
  document.versions[version] = { ...document.versions[version], _hasShrinkwrap: true };
  await writeFile(file, JSON.stringify(document));
}
