import { existsSync } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

import { CheckError } from "../errors/checkError.ts";
import { InputError } from "../errors/inputError.ts";
import type { ContractIdentity, SignedTransaction } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { parseJournal, type JournalHeader, type SentRecord, type SettledOutcome } from "./journalFormat.ts";

/** What a journal belongs to. */
export interface JournalScope {
  readonly identity: ContractIdentity;
  readonly stage: Stage;
}

/**
 * The record of every transaction of a stage: a line is on disk before a transaction leaves, so that a run that was
 * killed is followed by one that knows which hashes to ask for. The chain stays the only truth about scores; the journal
 * says what may still be under way.
 *
 * One JSON object a line (JSON Lines): a header, then `run`, `sent` and `settled` lines.
 */
export class Journal {
  readonly file: string;
  /** What a person should know about the state in which the journal was found. */
  readonly notices: readonly string[];
  readonly #handle: FileHandle;
  readonly #unsettled: Map<string, SentRecord>;

  private constructor(
    file: string,
    handle: FileHandle,
    notices: readonly string[],
    unsettled: Map<string, SentRecord>,
  ) {
    this.file = file;
    this.notices = notices;
    this.#handle = handle;
    this.#unsettled = unsettled;
  }

  /**
   * Opens the journal, or starts one. Half a line at the end, left by a crash while writing, is cut off: its transaction
   * never left. Both that and an empty file are told in `notices`.
   *
   * @throws CheckError `JOURNAL_INVALID` when it is damaged elsewhere or belongs to another contract, chain or stage;
   * InputError `FILE_UNREADABLE`.
   */
  static async open(file: string, scope: JournalScope): Promise<Journal> {
    const { handle, existed } = await openFile(file);
    try {
      const text = await handle.readFile("utf8");
      const found = parseJournal(text, file);
      const notices: string[] = [];
      if (found.halfLine) {
        notices.push(`${file} ended in half a line: cut off; a transaction leaves only after its line is whole`);
        await handle.truncate(Buffer.byteLength(found.wholeText));
      }
      if (found.header === undefined) {
        if (existed) notices.push(`${file} was empty: starting it anew; what the chain holds is read in any case`);
        await appendLine(handle, headerFor(scope));
      } else checkScope(file, found.header, scope);
      return new Journal(file, handle, notices, found.unsettled);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Transactions that were about to leave and whose outcome is not recorded, by sequence. */
  get unsettled(): readonly SentRecord[] {
    return [...this.#unsettled.values()].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  }

  /** Notes the start of a run and which table it pushes. */
  async recordRun(table: { readonly digest: string; readonly rows: number }): Promise<void> {
    await appendLine(this.#handle, { run: { at: new Date().toISOString(), ...table } });
  }

  /** Notes a transaction and waits until the line is on disk; call before it leaves. */
  async recordSent(transaction: SignedTransaction, rows: number): Promise<void> {
    const { hash, sequence, gas } = transaction;
    const at = new Date();
    this.#unsettled.set(hash, { hash, sequence, rows, sentAt: at.getTime() });
    await appendLine(this.#handle, {
      sent: { hash, sequence: `${sequence}`, gas: `${gas}`, rows, at: at.toISOString() },
    });
  }

  /** Notes what became of a transaction. */
  async recordSettled(hash: string, outcome: SettledOutcome, height?: bigint): Promise<void> {
    this.#unsettled.delete(hash);
    await appendLine(this.#handle, {
      settled: { hash, outcome, ...(height === undefined ? {} : { height: `${height}` }) },
    });
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

function headerFor({ identity, stage }: JournalScope): { readonly journal: JournalHeader } {
  return { journal: { version: 1, ...identity, stage: `${stage}` } };
}

async function openFile(file: string): Promise<{ readonly handle: FileHandle; readonly existed: boolean }> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const existed = existsSync(file);
    return { handle: await open(file, "a+"), existed };
  } catch (cause) {
    throw new InputError(`the journal ${file} cannot be opened`, {
      code: "FILE_UNREADABLE",
      details: cause instanceof Error ? cause.message : String(cause),
      cause,
    });
  }
}

async function appendLine(handle: FileHandle, value: object): Promise<void> {
  await handle.appendFile(`${JSON.stringify(value)}\n`);
  await handle.datasync();
}

function checkScope(file: string, header: JournalHeader, scope: JournalScope): void {
  const wanted = headerFor(scope).journal;
  for (const key of ["vm", "chainId", "address", "stage"] as const) {
    if (header[key].toLowerCase() === wanted[key].toLowerCase()) continue;
    throw new CheckError(`the journal ${file} belongs to ${key} ${header[key]}, this push to ${key} ${wanted[key]}`, {
      code: "JOURNAL_INVALID",
      metaMessages: ["Name another journal file, or move this one away if that push is over."],
    });
  }
}
