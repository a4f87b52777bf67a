import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChild, type Child } from "./childCli.ts";

const own = fileURLToPath(new URL("../", import.meta.url));

/** The command in a folder that has only some of the packages of this workspace. */
export interface Installation extends AsyncDisposable {
  /** Folder of its packages. */
  readonly modules: string;
  /** Adds a package of this workspace as a link, so that it has its own dependencies. */
  link(name: string): Promise<void>;
  /** Adds another copy of a package, with links to its dependencies. */
  copy(name: string): Promise<void>;
  /** Starts its command; `killChildren` ends it. */
  start(args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv): Child;
}

/** Installs the command from its sources, with its dependencies and without what is optional. */
export async function installCommand(): Promise<Installation> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "vipscore-installed-")));
  const modules = join(root, "node_modules");
  const link = async (name: string, from = own): Promise<void> => {
    const path = join(modules, name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(folderOf(name, from), path);
  };
  const copy = async (folder: string, to: string): Promise<void> => {
    for (const part of ["src", "package.json"]) await cp(join(folder, part), join(to, part), { recursive: true });
    const manifest = JSON.parse(await readFile(join(to, "package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys(manifest.dependencies)) {
      await link(name, folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    }
  };
  const command = join(root, "cli");
  await copy(own, command);
  return {
    modules,
    link,
    copy: async (name) => {
      const to = join(root, name);
      await copy(folderOf(name, own), to);
      await rm(join(modules, name), { force: true });
      await symlink(to, join(modules, name));
    },
    start: (args, cwd, env) =>
      startChild([process.execPath, "--conditions=@vipscore/source", join(command, "src/bin.ts"), ...args], cwd, env),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

/** Returns the folder of a package as the files of another one find it. */
function folderOf(name: string, from: string): string {
  const manifest = findPackageJSON(name, join(from, "package.json"));
  if (manifest === undefined) throw new Error(`${name} is not installed`);
  return dirname(createRequire(manifest).resolve(manifest));
}
