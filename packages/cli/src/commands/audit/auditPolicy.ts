import { resolve } from "node:path";
import { InputError } from "@vipscore/core";
import type { ManifestPolicy } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { FileDifference, Policy } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import type { AuditLog } from "./auditLog.ts";

/**
 * Compares the files of a policy with the manifest's.
 *
 * @returns The policy, whether or not it is the same; undefined if files differ and it cannot be read.
 * @throws InputError `FILE_UNREADABLE`; `POLICY_INVALID` for a policy whose files are the same; the signal's reason when aborted.
 */
export async function auditPolicy(
  { io }: Context,
  recorded: ManifestPolicy,
  folder: string,
  log: AuditLog,
): Promise<Policy | undefined> {
  const { compareFiles, readPolicy } = await optionalPackage("@vipscore/policy");
  const { signal } = io;
  const path = resolve(io.cwd, folder);
  let policy: Policy | undefined;
  let fault: InputError | undefined;
  try {
    policy = await readPolicy(path, { signal });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    fault = error;
  }
  const differences = await compareFiles(path, recorded.files, policy?.files, { signal });
  for (const difference of differences) log.differs("policy", difference.name, describe(difference));
  if (fault !== undefined) {
    if (differences.length === 0) throw fault;
    log.differs("policy", "the policy", `cannot be read: ${fault.shortMessage}`);
  } else if (differences.length === 0) {
    const { name, version, files, sha256 } = recorded;
    log.same("policy", `"${name}" ${version}, ${count(files.length, "file")}, sha256 ${shortDigest(sha256)}`);
  }
  return policy;
}

function describe({ name, recorded, found }: FileDifference): string {
  if (recorded === undefined) return `${name} was added: the manifest does not have it`;
  if (found === undefined) return `${name} is missing`;
  const [then, now] = [recorded, found].map(
    ({ bytes, sha256 }) => `${group(bytes)} bytes, sha256 ${shortDigest(sha256)}`,
  );
  return `${name} changed: ${then}; now ${now}`;
}
