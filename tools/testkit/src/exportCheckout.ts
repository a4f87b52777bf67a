import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporaryFolder.ts";

/**
 * Exports a checkout to an empty folder, as GitHub hands out a commit: without what git ignores, such as node_modules. It has
 * the changes that are not committed, and new files once git tracks them.
 *
 * @throws Error if a folder above has installed packages, which Node would find.
 */
export async function exportCheckout(root: string): Promise<string> {
  const [folder, own] = [temporaryFolder("checkout"), temporaryFolder("index")];
  const places = createRequire(join(folder, "file.js")).resolve.paths("package") ?? [];
  const found = places.find((path) => basename(path) === "node_modules" && existsSync(path));
  if (found !== undefined) throw new Error(`an export below ${found} is not a clean checkout`);
  const [index, archive] = [join(own, "index"), join(own, "checkout.tar")];
  // With a copy of the index, so that nothing changes in the checkout.
  const env = { ...process.env, GIT_INDEX_FILE: index };
  const git = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)("git", args, { cwd: root, env })).stdout.trim();
  await copyFile(join(await git("rev-parse", "--absolute-git-dir"), "index"), index);
  await git("add", "--update");
  await git("archive", `--output=${archive}`, await git("write-tree"));
  await promisify(execFile)("tar", ["--extract", "--file", archive, "--directory", folder]);
  return folder;
}
