import { existsSync, statSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  fileUnwritable,
  formatChecksummed,
  Journal,
  readFileText,
  VipError,
  type Account,
  type JournalScope,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import { parseJournal, type ParsedJournal } from "@vipscore/core/engine";
import type { FileLock } from "@vipscore/core/lockFile";
import { count, formatDuration, formatTime } from "@vipscore/core/values";
import { patienceMs } from "@vipscore/core/wire";
import type { Context } from "../context.ts";
import { systemClock, type Io } from "../io.ts";

/**
 * Opens the signer's journal of a stage, `.vipscore/journal/<vm>-<chainId>-<address>-stage<N>-<signer>.jsonl` unless a file
 * is named, and reports its notices. Each signer has its own journal, because one signer's sequence number does not show what
 * another left pending. Until the journal is closed, no other command of the signer works on the stage.
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
  const { unsettled } = journal;
  const [first] = unsettled;
  if (first !== undefined) {
    const since = formatTime(new Date(first.sentAt));
    const atMost = formatDuration(BigInt(patienceMs.inclusion / 1000));
    context.output.note(
      `waiting for ${count(unsettled.length, "transaction")} that an earlier run left open since ${since}: this takes up to ${atMost}, because the node may still hold them`,
    );
  }
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

export function hasJournal({ io }: Context, contract: ScoreContract, stage: Stage, named: string | undefined): boolean {
  return existsSync(journalPath(io.cwd, contract, stage, named));
}

/**
 * Reads the journals of all signers of a stage, up to their last whole lines: another command may be writing them. Undefined if
 * this folder has none of the contract.
 */
export async function readJournals({ cwd }: Io, scope: JournalScope): Promise<readonly ParsedJournal[] | undefined> {
  const names = (await readdir(join(cwd, journalFolder)).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
  const ofStage = fileName(scope);
  if (!names.some((name) => name.startsWith(ofStage.replace(/\d+$/, "")))) return undefined;
  const own = names.filter((name) => name.startsWith(`${ofStage}-`));
  return Promise.all(
    own.map(async (name) => {
      const text = await readFileText(join(cwd, journalFolder, name), name);
      return parseJournal(text.slice(0, text.lastIndexOf("\n") + 1), name);
    }),
  );
}

function journalPath(
  cwd: string,
  { identity, signer }: ScoreContract,
  stage: Stage,
  named: string | undefined,
): string {
  if (named !== undefined) return resolve(cwd, named);
  const name = `${fileName({ identity, stage })}${signer === undefined ? "" : `-${signer}`}.jsonl`;
  return join(cwd, journalFolder, name);
}

/** The folder of the journals, relative to the current one. */
const journalFolder = join(".vipscore", "journal");

const retryMs = 250;
/** Maximum wait for another command, in seconds: a small push ends by then, and a large one should be reported. */
const waitSeconds = 10;

/**
 * Ensures that only one command at a time sends a signer's transactions to a stage: two would use the same sequence numbers.
 * Waits `waitSeconds` for another command, and reports that it waits.
 */
async function lockStage(
  { io, output }: Context,
  folder: string,
  { signer, ...scope }: JournalScope & { readonly signer: Account },
): Promise<FileLock> {
  const path = join(folder, `${fileName(scope)}-${signer}.lock`);
  // Imported here because it loads SQLite, which only commands that send need.
  const { lockFile } = await import("@vipscore/core/lockFile");
  const attempts = (waitSeconds * 1000) / retryMs;
  const other = `another command of ${formatChecksummed(signer)} is working on stage ${scope.stage}`;
  for (let attempt = 0; ; attempt += 1) {
    let lock: FileLock | undefined;
    try {
      await mkdir(folder, { recursive: true });
      lock = await lockFile(path);
    } catch (cause) {
      throw fileUnwritable(`the lock ${path}`, cause, [
        "Without it, two commands could use the same sequence numbers.",
        `It is beside the journal: allow writing to ${folder}, or name a file in another folder with --journal.`,
      ]);
    }
    if (lock !== undefined) return lock;
    if (attempt === attempts) {
      throw new VipError(`${other}, and has not finished within ${waitSeconds} seconds`, {
        code: "PUSH_RUNNING",
        metaMessages: ["Nothing was sent. Run again once it has finished.", `It holds ${path}`],
      });
    }
    if (attempt === 0) output.note(`${other}: waiting up to ${waitSeconds} seconds for it to finish`);
    await (io.clock ?? systemClock).pause(retryMs, io.signal);
  }
}

/** A node's text may have characters that are not safe in a file's name. */
function fileName({ identity: { vm, chainId, address }, stage }: JournalScope): string {
  const [chain, contract] = [chainId, address.toLowerCase()].map((text) => text.replaceAll(/[^\w.-]/g, "_"));
  return `${vm}-${chain}-${contract}-stage${stage}`;
}
