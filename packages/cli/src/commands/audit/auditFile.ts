import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError, readScores, systemErrorCode, type ScoreTable } from "@vipscore/core";
import type { ManifestScores } from "@vipscore/core/manifest";
import { count, group, shortDigest } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { pathOf } from "../../files/readTable.ts";
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
  const path = join(dirname(pathOf(io, manifest)), file);
  // A stranger's folder may have a link to a file of ours, whose text an error would quote, or a pipe without an end.
  if (await isOther(path)) {
    log.differs("file", file, `${file} is not a regular file`);
    return undefined;
  }
  let table: ScoreTable;
  try {
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

/** Returns true for anything but a regular file and nothing at all; links are not followed. */
async function isOther(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}
