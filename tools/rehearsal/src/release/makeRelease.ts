import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../runCommand.ts";
import { copyRepository } from "./copyRepository.ts";

/**
 * Makes the next minor release of a repository's HEAD in a copy, by the steps of CONTRIBUTING.md and of the release workflow:
 * a version plan, `nx release`, packRelease.ts.
 *
 * @param folder Where the copy and the release are written.
 * @returns The folder that packRelease.ts wrote.
 */
export async function makeRelease(root: string, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const copy = join(folder, "copy");
  const commit = await copyRepository(root, copy, env);
  const author = { GIT_AUTHOR_NAME: "rehearsal", GIT_AUTHOR_EMAIL: "rehearsal@example.org" };
  const committer = { GIT_COMMITTER_NAME: "rehearsal", GIT_COMMITTER_EMAIL: "rehearsal@example.org" };
  const options = { cwd: copy, env: { ...env, ...author, ...committer, NX_DAEMON: "false", NX_TUI: "false" } };

  await mkdir(join(copy, ".nx/version-plans"), { recursive: true });
  const plan = "---\n__default__: minor\n---\n\nRehearsed a release.\n";
  await writeFile(join(copy, ".nx/version-plans/rehearsal.md"), plan);
  await runCommand("git", ["add", ".nx/version-plans"], options);
  await runCommand("git", ["commit", "--quiet", "--message", "chore: plan a release"], options);
  await runCommand("node_modules/.bin/nx", ["release", "--skip-publish"], options);

  const tag = (await runCommand("git", ["describe", "--exact-match", "--tags"], options)).trim();
  const { version } = JSON.parse(await readFile(join(copy, "packages/core/package.json"), "utf8")) as {
    version: string;
  };
  if (tag !== `v${version}`) throw new Error(`nx release tagged ${tag}, but @vipscore/core has version ${version}`);
  console.log(`release ${version} of ${commit.slice(0, 10)}`);
  const release = join(folder, "release");
  await runCommand(process.execPath, ["tools/release/src/packRelease.ts", release], {
    ...options,
    env: { ...options.env, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: "example/vipscore" },
  });
  return release;
}

/** A package in the folder that packRelease.ts writes. */
export interface ReleasedPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the tarball. */
  readonly file: string;
}

/** Reads which packages a release's folder holds; all have one version. */
export async function readReleasedPackages(release: string): Promise<readonly ReleasedPackage[]> {
  return JSON.parse(await readFile(join(release, "packages.json"), "utf8")) as readonly ReleasedPackage[];
}
