import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../runProgram.ts";

/**
 * Makes the next minor release of a repository's HEAD in a copy, by the steps of CONTRIBUTING.md and of the release workflow:
 * a version plan, `nx release`, packRelease.ts.
 *
 * @param folder Where the copy and the release are written.
 * @param hasChains True to build the local Move and Wasm chains for this platform too, which takes a minute.
 * @returns The folder that packRelease.ts wrote.
 */
export async function makeRelease(
  root: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
  hasChains: boolean,
): Promise<string> {
  const copy = join(folder, "copy");
  const author = { GIT_AUTHOR_NAME: "rehearsal", GIT_AUTHOR_EMAIL: "rehearsal@example.org" };
  const committer = { GIT_COMMITTER_NAME: "rehearsal", GIT_COMMITTER_EMAIL: "rehearsal@example.org" };
  const env = { ...environment, ...author, ...committer, NX_DAEMON: "false", NX_TUI: "false" };
  const git = async (...args: readonly string[]): Promise<string> => runProgram("git", args, copy, env);
  await runProgram("git", ["clone", "--quiet", "--local", root, copy], root, env);
  await linkModules(root, copy);

  await mkdir(join(copy, ".nx/version-plans"), { recursive: true });
  const plan = "---\n__default__: minor\n---\n\nRehearsed a release.\n";
  await writeFile(join(copy, ".nx/version-plans/rehearsal.md"), plan);
  await git("add", ".nx/version-plans");
  await git("commit", "--quiet", "--message", "chore: plan a release");
  await runProgram("node_modules/.bin/nx", ["release", "--skip-publish"], copy, env);

  const tag = (await git("describe", "--exact-match", "--tags")).trim();
  const { version } = JSON.parse(await readFile(join(copy, "packages/core/package.json"), "utf8")) as {
    version: string;
  };
  if (tag !== `v${version}`) throw new Error(`nx release tagged ${tag}, but @vipscore/core has version ${version}`);
  console.log(`release ${version}`);
  const release = join(folder, "release");
  const tagged = { ...env, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: "example/vipscore" };
  for (const step of hasChains ? ["packPrebuilt.ts", "packRelease.ts"] : ["packRelease.ts"])
    await runProgram(process.execPath, [join("tools/release/src", step), release], copy, tagged);
  return release;
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
  for (const folder of ["packages", "tools", "contracts"]) {
    for (const name of await readdir(join(copy, folder))) {
      const own = join(folder, name, "node_modules");
      if ((await readdir(join(root, folder, name)).catch((): string[] => [])).includes("node_modules"))
        await symlink(join(root, own), join(copy, own));
    }
  }
}
