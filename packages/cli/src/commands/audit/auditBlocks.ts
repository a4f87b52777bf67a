import { resolve } from "node:path";
import type { ManifestSource } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { BlockDifference, BlockRows, SourceDigests } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { optionalPackage } from "../../optionalPackage.ts";
import type { AuditLog } from "./auditLog.ts";

/**
 * Names the first block in which each source differs, if the digests of its blocks were published.
 *
 * @param folders The published folders of digests, in any order: they prove which source they are of.
 * @throws InputError `FILE_UNREADABLE`.
 */
export async function auditBlocks(
  { io, output }: Context,
  recorded: readonly ManifestSource[],
  { sources, blocks }: SourceDigests,
  folders: readonly string[],
  log: AuditLog,
): Promise<void> {
  const { findFirstDifference } = await optionalPackage("@vipscore/policy");
  const same = new Set(sources.map(({ name, digest }) => `${name} ${digest}`));
  let isMissing = false;
  for (const { name, sha256 } of recorded) {
    const source = blocks.get(name);
    if (source === undefined || same.has(`${name} ${sha256}`)) continue;
    let first: BlockDifference | "other" | undefined = "other";
    for (const folder of folders) {
      first = await findFirstDifference(source, resolve(io.cwd, folder), sha256);
      if (first !== "other") break;
    }
    if (first === "other") isMissing = true;
    else if (first !== undefined) log.differs("source", `source ${name}`, describe(name, first));
  }
  if (!isMissing) return;
  output.note(
    folders.length === 0
      ? "To see in which block, ask the operator for the folder digests of the source, and add --blocks"
      : "A folder of --blocks is not of the manifest's source.",
  );
}

function describe(name: string, { height, published, collected }: BlockDifference): string {
  return `${name} differs first in block ${group(height)}: it had ${rowsOf(published)}; now ${rowsOf(collected)}`;
}

function rowsOf(block: BlockRows | undefined): string {
  return block === undefined ? "no row" : `${count(block.rows, "row")}, sha256 ${shortDigest(block.sha256)}`;
}
