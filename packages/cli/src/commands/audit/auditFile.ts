import { dirname, join } from "node:path";
import { InputError, readScores, type ScoreTable } from "@vipscore/core";
import type { ManifestScores } from "@vipscore/core/manifest";
import type { Context } from "../../context.ts";
import { pathOf } from "../../files/readTable.ts";
import { count, group, shortDigest } from "../../output/numbers.ts";
import type { AuditLog } from "./auditLog.ts";

/**
 * Compares the score file beside a manifest with what the manifest says about it.
 *
 * @returns The file's scores; undefined if it is missing or cannot be read.
 * @throws The signal's reason when aborted.
 */
export async function auditFile(
  { io }: Context,
  recorded: ManifestScores,
  manifest: string,
  log: AuditLog,
): Promise<ScoreTable | undefined> {
  const { file, sha256 } = recorded;
  let table: ScoreTable;
  try {
    const path = join(dirname(pathOf(io, manifest)), file);
    table = await readScores(path, { accountBytes: [20, 32], format: "csv", signal: io.signal });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.code === "FILE_UNREADABLE") log.notChecked("file", `${file} is not beside the manifest`);
    else log.differs("file", file, `${file} cannot be read: ${error.issues[0]?.message ?? error.shortMessage}`);
    return undefined;
  }
  if (table.digest() === sha256) {
    log.same("file", `${file}, ${count(table.size, "account")}, total ${group(table.total)}`);
  } else {
    log.differs("file", file, `${file} has the sha256 ${shortDigest(table.digest())}, not ${shortDigest(sha256)}`);
  }
  return table;
}
