import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** The fields that are read of an installed package, and of its entry in a shrinkwrap. */
interface Entry {
  readonly version: string;
  /** Platforms that the package is for; npm installs it on no other. */
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/**
 * Checks that the command of a project has, in its own `node_modules`, the packages and versions of its shrinkwrap and no others.
 *
 * @throws Error that names the packages that differ.
 */
export async function checkShrinkwrap(project: string): Promise<void> {
  const command = join(project, "node_modules/@vipscore/cli");
  const { packages } = (await readJson(join(command, "npm-shrinkwrap.json"))) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  const expected = new Map(
    Object.entries(packages)
      .filter(([place, entry]) => place !== "" && runsHere(entry))
      .map(([place, { version }]) => [place, version]),
  );
  const installed = await readInstalled(command);
  if (!isDeepStrictEqual(installed, expected)) {
    const places = [...new Set([...expected.keys(), ...installed.keys()])].sort();
    const faults = places
      .filter((place) => expected.get(place) !== installed.get(place))
      .map((place) => `${place}: ${installed.get(place) ?? "none"} instead of ${expected.get(place) ?? "none"}`);
    throw new Error(`installed with @vipscore/cli:\n${faults.join("\n")}`);
  }
  console.log(`  @vipscore/cli has the ${expected.size} packages of its shrinkwrap`);
}

function runsHere({ os, cpu }: Entry): boolean {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

/** Returns the versions of the packages in a package's `node_modules`, and in theirs, by place. */
async function readInstalled(folder: string): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  const pending = [join(folder, "node_modules")];
  for (const modules of pending) {
    for (const path of await listPackages(modules)) {
      const { version } = (await readJson(join(path, "package.json"))) as Entry;
      versions.set(relative(folder, path), version);
      pending.push(join(path, "node_modules"));
    }
  }
  return versions;
}

/** Lists the folders of packages, with scope or without, in a `node_modules`; npm's own files begin with a dot. */
async function listPackages(modules: string): Promise<readonly string[]> {
  if (!existsSync(modules)) return [];
  const names = (await readdir(modules)).filter((name) => !name.startsWith("."));
  const folders = names.map(async (name) => {
    const path = join(modules, name);
    return name.startsWith("@") ? (await readdir(path)).map((inner) => join(path, inner)) : [path];
  });
  return (await Promise.all(folders)).flat();
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
