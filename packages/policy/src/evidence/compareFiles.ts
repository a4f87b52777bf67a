import { InputError, type SignalOptions } from "@vipscore/core";
import type { FileDigest, ManifestFile } from "@vipscore/core/manifest";
import { digestFile, findPolicyFile, findPolicyFolder } from "../files/policyFile.ts";

/** A file of a policy that is not what a manifest recorded. */
export interface FileDifference {
  readonly name: string;
  /** Undefined if the manifest does not have the file. */
  readonly recorded: FileDigest | undefined;
  /** Undefined if the folder does not have the file, or the policy no longer names it. */
  readonly found: FileDigest | undefined;
}

/**
 * Compares the files of a policy with what a manifest recorded.
 *
 * @param named The files that the policy names; undefined if it cannot be read, so that only the recorded files are compared.
 * @returns The differences, sorted by name.
 * @throws InputError `FILE_UNREADABLE` for the folder; the signal's reason when aborted.
 */
export async function compareFiles(
  folder: string,
  recorded: readonly ManifestFile[],
  named: ReadonlyMap<string, FileDigest> | undefined,
  options: SignalOptions = {},
): Promise<readonly FileDifference[]> {
  const root = await findPolicyFolder(folder);
  const differences: FileDifference[] = [];
  for (const { name, bytes, sha256 } of recorded) {
    const found = named === undefined ? await digestIfThere(root, name, options) : named.get(name);
    if (found?.bytes === bytes && found.sha256 === sha256) continue;
    differences.push({ name, recorded: { bytes, sha256 }, found });
  }
  const known = new Set(recorded.map(({ name }) => name));
  for (const [name, found] of named ?? []) if (!known.has(name)) differences.push({ name, recorded: undefined, found });
  return differences.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function digestIfThere(root: string, name: string, options: SignalOptions): Promise<FileDigest | undefined> {
  try {
    return await digestFile(await findPolicyFile(root, name, "the manifest"), options);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
