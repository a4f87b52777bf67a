import { readFile } from "node:fs/promises";
import { join } from "node:path";

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
