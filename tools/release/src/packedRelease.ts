import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of a release, in the file that `npm pack` wrote. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Name of the tarball in the release's folder. */
  readonly file: string;
  /** Hex digest of the tarball. */
  readonly sha256: string;
}

/** The part of a package.json that a release needs. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Name of the file that lists the packages of a release, in the order in which they are published. */
export const listName = "packages.json";

/** Returns the hex SHA-256 of a file. */
export function sha256Of(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/**
 * Reads the list of a release's packages.
 *
 * @throws Error when a tarball differs from the one that was packed.
 */
export function readPackedRelease(folder: string): readonly PackedPackage[] {
  const packages = JSON.parse(readFileSync(join(folder, listName), "utf8")) as readonly PackedPackage[];
  for (const { file, sha256 } of packages) {
    if (sha256Of(join(folder, file)) !== sha256) throw new Error(`${file} is not the file that was packed`);
  }
  return packages;
}
