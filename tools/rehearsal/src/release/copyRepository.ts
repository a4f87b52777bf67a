import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../runCommand.ts";

/**
 * Clones a repository's HEAD into a new folder. The clone uses the packages that are installed in the repository, but its own
 * workspace packages.
 *
 * @returns The commit that was cloned.
 */
export async function copyRepository(root: string, copy: string, env: NodeJS.ProcessEnv): Promise<string> {
  const git = async (args: readonly string[], cwd = copy): Promise<string> => runCommand("git", args, { cwd, env });
  await git(["clone", "--quiet", "--local", root, copy], root);
  await linkModules(root, copy);
  for (const folder of ["packages", "tools", "contracts"]) {
    for (const name of await readdir(join(copy, folder))) {
      const own = join(folder, name, "node_modules");
      if ((await foldersIn(join(root, folder, name))).includes("node_modules"))
        await symlink(join(root, own), join(copy, own));
    }
  }
  return (await git(["rev-parse", "HEAD"])).trim();
}

/** Links each installed package, so that `@vipscore`, whose links are relative, leads to the copy's packages. */
async function linkModules(root: string, copy: string): Promise<void> {
  const [from, to] = [join(root, "node_modules"), join(copy, "node_modules")];
  await mkdir(to);
  for (const name of await readdir(from)) {
    // Caches stay with their owner.
    if (name === "@vipscore") await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (name === ".bin" || !name.startsWith(".")) await symlink(join(from, name), join(to, name));
  }
}

async function foldersIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch(() => []);
}
