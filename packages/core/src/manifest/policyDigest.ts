import { createHash } from "node:crypto";

/** A file's size in bytes and the SHA-256 of its content, in hex. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Returns the SHA-256, in hex, over one line `sha256  bytes  name\n` for each file of a policy, sorted by name.
 *
 * Anyone who has the files can compute it with `sha256sum` and `wc -c`; large reference files enter by their own digest.
 */
export function policyDigest(files: ReadonlyMap<string, FileDigest>): string {
  const lines = [...files].map(([name, { bytes, sha256 }]) => ({ name, line: `${sha256}  ${bytes}  ${name}\n` }));
  lines.sort((one, other) => (one.name < other.name ? -1 : 1));
  return createHash("sha256")
    .update(lines.map(({ line }) => line).join(""))
    .digest("hex");
}
