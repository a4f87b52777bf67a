import { InputError, type SignalOptions } from "@vipscore/core";
import type { FileDigest, ManifestFile, ManifestPolicy } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import { digestFile, findPolicyFile, findPolicyFolder } from "../files/policyFile.ts";
import { readPolicy } from "../files/readPolicy.ts";
import type { Policy } from "../policy.ts";
import type { AuditLog } from "./auditLog.ts";

/**
 * Compares the files of a policy with the manifest's.
 *
 * @returns The policy, whether or not it is the same; undefined if files differ and it cannot be read.
 * @throws InputError `FILE_UNREADABLE`; `POLICY_INVALID` for a policy whose files are the same; the signal's reason when aborted.
 */
export async function auditPolicy(
  recorded: ManifestPolicy,
  folder: string,
  log: AuditLog,
  options: SignalOptions,
): Promise<Policy | undefined> {
  let policy: Policy | undefined;
  let fault: InputError | undefined;
  try {
    policy = await readPolicy(folder, options);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    fault = error;
  }
  const differences = await compareFiles(folder, recorded.files, policy?.files, options);
  for (const difference of differences) log.differs("policy", difference.name, describeFile(difference));
  if (fault !== undefined) {
    if (differences.length === 0) throw fault;
    log.differs("policy", "the policy", `cannot be read: ${fault.shortMessage}`);
  } else if (differences.length === 0) {
    const { name, version, files, sha256 } = recorded;
    log.same("policy", `"${name}" ${version}, ${count(files.length, "file")}, sha256 ${shortDigest(sha256)}`);
  }
  return policy;
}

/** A file of a policy that is not what a manifest recorded. */
interface FileDifference {
  readonly name: string;
  /** Undefined if the manifest does not have the file. */
  readonly recorded: FileDigest | undefined;
  /** Undefined if the folder does not have the file, or the policy no longer names it. */
  readonly found: FileDigest | undefined;
}

/** Compares the files that a policy names, or if it cannot be read, those that the manifest recorded. Sorts by name. */
async function compareFiles(
  folder: string,
  recorded: readonly ManifestFile[],
  named: ReadonlyMap<string, FileDigest> | undefined,
  options: SignalOptions,
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

function describeFile({ name, recorded, found }: FileDifference): string {
  if (recorded === undefined) return `${name} was added: the manifest does not have it`;
  if (found === undefined) return `${name} is missing`;
  const [then, now] = [recorded, found].map(
    ({ bytes, sha256 }) => `${group(bytes)} bytes, sha256 ${shortDigest(sha256)}`,
  );
  return `${name} changed: ${then}; now ${now}`;
}
