import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CheckError, fileUnwritable, formatChecksummed, type Account, type JournalScope } from "@vipscore/core";
import type { FileLock } from "@vipscore/core/lockFile";
import type { Context } from "../context.ts";
import { systemClock } from "../io/clock.ts";

/** Time between two attempts, in milliseconds. */
const retryMs = 250;
/** Maximum wait for another command, in seconds: a small push ends by then, and a large one should be reported. */
const waitSeconds = 10;

/**
 * Ensures that only one command at a time sends a signer's transactions to a stage: two would use the same sequence numbers.
 * Waits ten seconds for another command, and reports that it waits.
 *
 * @param folder Folder of the lock and the journal. Created if needed.
 * @throws CheckError `PUSH_RUNNING`; InputError `FILE_UNWRITABLE`; the signal's reason when aborted.
 */
export async function lockStage(
  { io, output }: Context,
  folder: string,
  { identity, stage, signer }: JournalScope & { readonly signer: Account },
): Promise<FileLock> {
  const { vm, chainId, address } = identity;
  const name = `${vm}-${fileNamePart(chainId)}-${fileNamePart(address.toLowerCase())}-stage${stage}-${signer}.lock`;
  const path = join(folder, name);
  // Imported here because it loads SQLite, which only commands that send need.
  const { lockFile } = await import("@vipscore/core/lockFile");
  const attempts = (waitSeconds * 1000) / retryMs;
  const other = `another command of ${formatChecksummed(signer)} is working on stage ${stage}`;
  for (let attempt = 0; ; attempt += 1) {
    let lock: FileLock | undefined;
    try {
      await mkdir(folder, { recursive: true });
      lock = await lockFile(path);
    } catch (cause) {
      throw fileUnwritable(`the lock ${path}`, cause, [
        "Without it, two commands could use the same sequence numbers.",
      ]);
    }
    if (lock !== undefined) return lock;
    if (attempt === attempts) {
      throw new CheckError(`${other}, and has not finished within ${waitSeconds} seconds`, {
        code: "PUSH_RUNNING",
        metaMessages: ["Nothing was sent. Run again once it has finished.", `It holds ${path}`],
      });
    }
    if (attempt === 0) output.note(`${other}: waiting up to ${waitSeconds} seconds for it to finish`);
    await (io.clock ?? systemClock).pause(retryMs, io.signal);
  }
}

/** Makes a node's text safe as part of a file name: characters other than letters, digits, `.`, `_` and `-` become `_`. */
export function fileNamePart(text: string): string {
  return text.replaceAll(/[^\w.-]/g, "_");
}
