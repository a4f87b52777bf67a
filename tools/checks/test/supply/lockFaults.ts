import { nameIn, registryFolders, resolveFrom, type LockEntry, type LockFile } from "./lockFile.ts";

/** The platforms on which a checkout must work. */
const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;

/**
 * Lists what keeps a lock file from holding every platform: a package from a registry without a SHA-512 digest, and a platform
 * that none of a package's optional dependencies is for, although others of them are for one operating system and processor.
 * npm writes what it could resolve when it wrote the lock file, and leaves out the rest without a warning.
 *
 * @param withoutDigest Names of packages that may lack a digest. One that has a digest everywhere is a fault too.
 */
export function lockFaults(lock: LockFile, withoutDigest: readonly string[]): readonly string[] {
  const lacking = registryFolders(lock).filter((folder) => !isHeld(lock.packages[folder]));
  const lackingNames = new Set(lacking.map(nameIn));
  return [
    ...lacking
      .filter((folder) => !withoutDigest.includes(nameIn(folder)))
      .map((folder) => `${folder} has no SHA-512 digest`),
    ...withoutDigest
      .filter((name) => !lackingNames.has(name))
      .map((name) => `${name} may lack a digest, but does not: remove it from the exceptions`),
    ...Object.keys(lock.packages).flatMap((folder) =>
      missingPlatforms(lock, folder).map((platform) => `${folder} has no optional dependency for ${platform}`),
    ),
  ];
}

function isHeld(entry: LockEntry | undefined): boolean {
  return entry?.integrity?.startsWith("sha512-") === true;
}

function missingPlatforms(lock: LockFile, folder: string): readonly string[] {
  const names = Object.keys(lock.packages[folder]?.optionalDependencies ?? {});
  const native = names
    .map((name) => lock.packages[resolveFrom(lock, folder, name) ?? ""])
    // A package for one operating system, such as fsevents, replaces nothing on the others.
    .filter((entry) => entry?.os !== undefined && entry.cpu !== undefined);
  if (native.length === 0) return [];
  return platforms.filter((platform) => !native.some((entry) => entry !== undefined && isFor(entry, platform)));
}

/** True if a package is for a platform; on Linux, with glibc. */
function isFor({ os = [], cpu = [], libc = ["glibc"] }: LockEntry, platform: (typeof platforms)[number]): boolean {
  const [system = "", processor = ""] = platform.split("-");
  return os.includes(system) && cpu.includes(processor) && (system !== "linux" || libc.includes("glibc"));
}
