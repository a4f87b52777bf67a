import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Journal, type ScoreContract, type Stage } from "@vipscore/core";
import type { Context } from "./context.ts";

/**
 * Opens the journal of a stage, `.vipscore/journal/<vm>-<chainId>-<address>-stage<N>.jsonl` unless a file is named, and
 * tells its notices.
 *
 * @throws CheckError `JOURNAL_INVALID`; InputError `FILE_UNREADABLE`.
 */
export async function openJournal(
  { io, output }: Context,
  contract: ScoreContract,
  stage: Stage,
  named: string | undefined,
): Promise<Journal> {
  const { identity } = contract;
  const journal = await Journal.open(journalPath(io.cwd, contract, stage, named), { identity, stage });
  for (const notice of journal.notices) output.note(notice);
  return journal;
}

/** True if an earlier push left a journal. */
export function hasJournal({ io }: Context, contract: ScoreContract, stage: Stage, named: string | undefined): boolean {
  return existsSync(journalPath(io.cwd, contract, stage, named));
}

function journalPath(cwd: string, contract: ScoreContract, stage: Stage, named: string | undefined): string {
  if (named !== undefined) return resolve(cwd, named);
  const { vm, chainId, address } = contract.identity;
  return join(cwd, ".vipscore", "journal", `${vm}-${chainId}-${address.toLowerCase()}-stage${stage}.jsonl`);
}
