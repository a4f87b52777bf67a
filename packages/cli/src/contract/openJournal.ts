import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Journal, type ScoreContract, type Stage } from "@vipscore/core";
import type { Context } from "../context.ts";
import { fileNamePart, lockStage } from "../lock/lockStage.ts";

/**
 * Opens the signer's journal of a stage, `.vipscore/journal/<vm>-<chainId>-<address>-stage<N>-<signer>.jsonl` unless a file
 * is named, and reports its notices. Each signer has its own journal, because one signer's sequence number does not show what
 * another left pending. Until the journal is closed, no other command of the signer works on the stage.
 *
 * @throws CheckError `JOURNAL_INVALID`, `PUSH_RUNNING`; InputError `FILE_UNREADABLE`, `FILE_UNWRITABLE`.
 */
export async function openJournal(
  context: Context,
  contract: ScoreContract,
  stage: Stage,
  named: string | undefined,
): Promise<Journal> {
  const { identity, signer } = contract;
  const file = journalPath(context.io.cwd, contract, stage, named);
  // A dry run without a key sends nothing, and no lock is created next to a device.
  const lock =
    signer === undefined || isDevice(file)
      ? undefined
      : await lockStage(context, dirname(file), { identity, stage, signer });
  const journal = await Journal.open(file, { identity, stage }, lock);
  for (const notice of journal.notices) context.output.note(notice);
  return journal;
}

/** Returns whether a path exists and cannot be a journal. */
function isDevice(file: string): boolean {
  try {
    return !statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns whether an earlier push left a journal. */
export function hasJournal({ io }: Context, contract: ScoreContract, stage: Stage, named: string | undefined): boolean {
  return existsSync(journalPath(io.cwd, contract, stage, named));
}

function journalPath(
  cwd: string,
  { identity, signer }: ScoreContract,
  stage: Stage,
  named: string | undefined,
): string {
  if (named !== undefined) return resolve(cwd, named);
  const { vm, chainId, address } = identity;
  const start = `${vm}-${fileNamePart(chainId)}-${fileNamePart(address.toLowerCase())}-stage${stage}`;
  const name = `${start}${signer === undefined ? "" : `-${signer}`}.jsonl`;
  return join(cwd, ".vipscore", "journal", name);
}
