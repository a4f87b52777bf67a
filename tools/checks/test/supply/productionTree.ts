import { registryFolders, resolveFrom, type LockEntry, type LockFile } from "./lockFile.ts";

/**
 * Lists the folders of the registry's packages that a package of the workspace needs in production, on any platform,
 * through the workspace's other packages too. Optional peers do not count.
 *
 * @param leftOut Names of packages that are not installed.
 */
export function productionTree(
  lock: LockFile,
  start: string,
  leftOut: ReadonlySet<string> = new Set(),
): readonly string[] {
  const seen = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entry = lock.packages[folder];
    if (entry === undefined || seen.has(folder)) continue;
    seen.add(folder);
    if (entry.link === true && entry.resolved !== undefined) waiting.push(entry.resolved);
    for (const name of neededNames(entry)) {
      if (leftOut.has(name)) continue;
      const found = resolveFrom(lock, folder, name);
      if (found !== undefined) waiting.push(found);
    }
  }
  return registryFolders(lock).filter((folder) => seen.has(folder));
}

function neededNames(entry: LockEntry): readonly string[] {
  const peers = Object.keys(entry.peerDependencies ?? {});
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ];
}
