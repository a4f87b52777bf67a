import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256Of, type Manifest, type PackedPackage } from "../packedRelease.ts";
import { prebuiltNameOf } from "./prebuiltPlatform.ts";

/** The package that starts the prebuilt chains. */
const user = "@vipscore/localnet";
/** The package that operators install in production, where movevm must not be. */
const command = "@vipscore/cli";

/**
 * Lists the prebuilt packages in a release's folder.
 *
 * @throws Error naming a file that does not belong to this version: an earlier release may have left it.
 */
export function findPrebuilt(folder: string, version: string): readonly PackedPackage[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const name = prebuiltNameOf(file, version);
      if (name === undefined) throw new Error(`${file} is not a prebuilt package of version ${version}`);
      return { name, version, file, sha256: sha256Of(join(folder, file)) };
    });
}

/**
 * Makes the prebuilt packages optional dependencies of the package that starts them.
 *
 * @throws Error if that would install movevm with the command.
 */
export function addPrebuilt<T extends { readonly manifest: Manifest }>(
  packages: readonly T[],
  prebuilt: readonly PackedPackage[],
): readonly T[] {
  if (prebuilt.length === 0) return packages;
  const installed = installedWith(packages, command);
  if (installed.has(user)) throw new Error(`${command} needs ${user}: operators would install movevm in production`);
  const added = Object.fromEntries(prebuilt.map(({ name, version }) => [name, version]));
  return packages.map((each) => {
    const { manifest } = each;
    if (manifest.name !== user) return each;
    return { ...each, manifest: { ...manifest, optionalDependencies: { ...manifest.optionalDependencies, ...added } } };
  });
}

function installedWith(packages: readonly { readonly manifest: Manifest }[], name: string): ReadonlySet<string> {
  const found = new Set([name]);
  // A set visits what is added while it is visited.
  for (const each of found) {
    const manifest = packages.find((one) => one.manifest.name === each)?.manifest;
    for (const needed of Object.keys({ ...manifest?.dependencies, ...manifest?.optionalDependencies })) {
      found.add(needed);
    }
  }
  return found;
}
