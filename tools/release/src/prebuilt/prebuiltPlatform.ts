/** A platform that prebuilt local chains run on. */
export interface PrebuiltPlatform {
  /** Name of the package, e.g. `@vipscore/vipnode-linux-x64`. */
  readonly name: string;
  readonly os: "linux" | "darwin";
  readonly cpu: "x64" | "arm64";
  /** End of the VM libraries' names, which movevm and wasmvm share: `libmovevm.x86_64.so`, `libmovevm.dylib`. */
  readonly librarySuffix: string;
}

const namePrefix = "@vipscore/vipnode-";

/** The platforms that movevm and wasmvm ship libraries for. */
const platforms: readonly PrebuiltPlatform[] = [
  { name: `${namePrefix}linux-x64`, os: "linux", cpu: "x64", librarySuffix: ".x86_64.so" },
  { name: `${namePrefix}linux-arm64`, os: "linux", cpu: "arm64", librarySuffix: ".aarch64.so" },
  { name: `${namePrefix}darwin-x64`, os: "darwin", cpu: "x64", librarySuffix: ".dylib" },
  { name: `${namePrefix}darwin-arm64`, os: "darwin", cpu: "arm64", librarySuffix: ".dylib" },
];

/**
 * Returns the platform of this machine.
 *
 * @throws Error on any other.
 */
export function thisPlatform(): PrebuiltPlatform {
  const found = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (found === undefined) throw new Error(`movevm has no library for ${process.platform} ${process.arch}`);
  return found;
}

/** Returns the name of the prebuilt package in a tarball of `npm pack`, or undefined for any other file. */
export function prebuiltNameOf(file: string, version: string): string | undefined {
  return platforms.find(({ name }) => file === tarballOf(name, version))?.name;
}

function tarballOf(name: string, version: string): string {
  return `${name.slice(1).replace("/", "-")}-${version}.tgz`;
}
