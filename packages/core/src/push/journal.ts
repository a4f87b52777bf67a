import { constants, fdatasync } from "node:fs";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { ContractIdentity } from "../contractIdentity.ts";
import { fileUnwritable, InputError, systemErrorCode } from "../errors/inputError.ts";
import { VipError } from "../errors/vipError.ts";
import type { SignedTransaction } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import {
  headerStart,
  notAJournal,
  parseJournal,
  settle,
  type JournalHeader,
  type ParsedJournal,
  type RunTable,
  type SentRecord,
  type SettledOutcome,
} from "./journalFormat.ts";
import { hashBytes, readSignedBytes, writeSignedBytes } from "./signedBytes.ts";

/** The contract and stage of a journal. */
export interface JournalScope {
  readonly identity: ContractIdentity;
  readonly stage: Stage;
}

/** Keeps other processes from working on the same stage. */
export interface JournalLock {
  /** Releases the lock. */
  release(): void;
}

const lineFeed = "\n".charCodeAt(0);

/** The handles of Yarn's Plug'n'Play have no `datasync`. */
const syncData = promisify(fdatasync);

/** Only the file's owner may read a journal: it shows what was sent, when, and by whom. */
const ownerOnly = 0o600;

/**
 * The record of every transaction of a stage. A line is on disk before its transaction is sent, so that after a crash the next
 * run knows which hashes to look up. The chain remains the only source of scores; the journal shows what may still be
 * pending. The signed bytes of these are in a second file, which is on disk before the line and gone with the last of them.
 *
 * One JSON object per line (JSON Lines): a header, then `run`, `sent` and `settled` lines.
 */
export class Journal {
  readonly file: string;
  /** Messages for the user about the journal's state when it was opened. */
  readonly notices: readonly string[];
  readonly #handle: FileHandle;
  readonly #unsettled: Map<string, SentRecord>;
  /** The bytes of those that write rows, by hash. */
  readonly #bytes: Map<string, Uint8Array>;
  #run: RunTable | undefined;
  readonly #written: Map<string, bigint>;
  readonly #dropped: string[];
  readonly #lock: JournalLock | undefined;
  /** Number of bytes in complete lines. */
  #size: number;
  #writes: Promise<void> = Promise.resolve();
  /** Why nothing can be written anymore. */
  #fault: InputError | undefined;

  private constructor(file: string, handle: FileHandle, found: FoundJournal, lock: JournalLock | undefined) {
    this.file = file;
    this.notices = found.notices;
    this.#handle = handle;
    this.#bytes = found.bytes;
    this.#run = found.run;
    this.#unsettled = found.unsettled;
    this.#written = found.written;
    this.#dropped = found.dropped;
    this.#size = found.size;
    this.#lock = lock;
  }

  /**
   * Opens the journal, or creates one that only its owner may read. Writes only to a file that is new, empty or begins with a
   * journal's header. Removes half a line at the end, which a crash left: its transaction was never sent. Reports this and an
   * empty file in `notices`.
   *
   * @param lock Held by the caller; released when the journal is closed or cannot be opened.
   * @throws VipError `JOURNAL_INVALID` when it is damaged, not a journal, or belongs to another contract, chain or stage, or if
   * the signed bytes are another user's or not those of its lines: the files are unchanged; InputError `FILE_UNREADABLE`,
   * `FILE_UNWRITABLE`.
   */
  static async open(file: string, scope: JournalScope, lock?: JournalLock): Promise<Journal> {
    try {
      const { handle, isNew } = await openFile(file);
      try {
        const found = await readJournal(handle, file, scope);
        const journal = new Journal(file, handle, isNew ? { ...found, notices: [] } : found, lock);
        if (found.size === 0) await journal.#append(headerFor(scope));
        if (found.bytes.size === 0) await journal.#keepBytes();
        return journal;
      } catch (error) {
        await handle.close();
        if (isNew) await rm(file, { force: true });
        throw error;
      }
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  /** Transactions about to be sent whose outcome is not recorded, by sequence. */
  get unsettled(): readonly SentRecord[] {
    return [...this.#unsettled.values()].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  }

  /**
   * The transactions without an outcome that runs of the same table signed, by sequence: their bytes may be sent again. With
   * `prune`, also those of a run without it.
   */
  signedFor({ digest, prune }: RunTable): readonly SignedTransaction[] {
    return this.unsettled.flatMap(({ hash, sequence, gas, run }) => {
      const bytes = this.#bytes.get(hash);
      if (bytes === undefined || run?.digest !== digest || (run.prune && !prune)) return [];
      return { hash, sequence, gas, bytes };
    });
  }

  /** Hashes of all transactions of the journal that wrote rows to the stage, each once, in the order in which they were settled. */
  get written(): readonly string[] {
    return [...this.#written.keys()];
  }

  /** The highest sequence of these transactions; undefined without any. */
  get lastSequence(): bigint | undefined {
    let last: bigint | undefined;
    for (const sequence of this.#written.values()) if (last === undefined || sequence > last) last = sequence;
    return last;
  }

  /** Hashes of the transactions with rows that were refused or dropped; one may have reached a block later. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /**
   * Records the start of a run and its table.
   *
   * @throws InputError `FILE_UNWRITABLE`, like every method that records something.
   */
  async recordRun(table: RunTable & { readonly rows: number }): Promise<void> {
    this.#run = table;
    await this.#append({ run: { at: new Date().toISOString(), ...table } });
  }

  /** Records transactions, and waits until their bytes and then their lines are on disk; call before sending them. */
  async recordSent(sent: readonly { readonly transaction: SignedTransaction; readonly rows: number }[]): Promise<void> {
    const at = new Date();
    const lines = sent.map(({ transaction: { hash, sequence, gas, bytes }, rows }) => {
      const sha256 = hashBytes(bytes);
      this.#unsettled.set(hash, { hash, sequence, gas, rows, sentAt: at.getTime(), sha256, run: this.#run });
      if (rows > 0) this.#bytes.set(hash, bytes);
      return { sent: { hash, sequence: `${sequence}`, gas: `${gas}`, rows, at: at.toISOString(), sha256 } };
    });
    await this.#keepBytes();
    await this.#append(...lines);
  }

  /**
   * Records the outcome of a transaction, and corrects one that was recorded by state.
   *
   * @param how - The height of its block, or by state: of the stage that shows its rows.
   */
  async recordSettled(
    hash: string,
    outcome: SettledOutcome,
    { height, by }: { readonly height?: bigint; readonly by?: "state" } = {},
  ): Promise<void> {
    settle(hash, outcome, { unsettled: this.#unsettled, written: this.#written, dropped: this.#dropped });
    await this.#append({ settled: { hash, outcome, height: height?.toString(), by } });
    this.#bytes.delete(hash);
    if (this.#bytes.size === 0) await this.#keepBytes();
  }

  /** Closes the file and releases the lock. */
  async close(): Promise<void> {
    await this.#handle.close();
    this.#lock?.release();
  }

  async #append(...values: readonly object[]): Promise<void> {
    const lines = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
    await this.#inTurn(() => this.#write(lines));
    try {
      await syncData(this.#handle.fd);
    } catch (cause) {
      throw (this.#fault ??= this.#unwritable(cause));
    }
  }

  #keepBytes(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#fault !== undefined) throw this.#fault;
      try {
        await writeSignedBytes(this.file, this.#bytes);
      } catch (cause) {
        throw (this.#fault = this.#unwritable(cause));
      }
    });
  }

  async #inTurn(write: () => Promise<void>): Promise<void> {
    const written = this.#writes.then(write);
    this.#writes = written.catch(() => undefined);
    await written;
  }

  /** Never writes after half a line: that would damage the journal for the next run. */
  async #write(line: Buffer): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      await this.#handle.appendFile(line);
      this.#size += line.length;
    } catch (cause) {
      this.#fault = this.#unwritable(cause);
      // If this fails too, the next run removes the half line.
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw this.#fault;
    }
  }

  #unwritable(cause: unknown): InputError {
    return fileUnwritable(`the journal ${this.file}`, cause, [
      "No transaction is sent without its line. Try again once the file can be written: the push continues where it stopped.",
    ]);
  }
}

interface FoundJournal extends Omit<ParsedJournal, "header"> {
  readonly bytes: Map<string, Uint8Array>;
  readonly notices: readonly string[];
  readonly size: number;
}

function headerFor({ identity, stage }: JournalScope): { readonly journal: JournalHeader } {
  return { journal: { version: 1, ...identity, stage: `${stage}` } };
}

async function openFile(file: string): Promise<{ readonly handle: FileHandle; readonly isNew: boolean }> {
  const append = constants.O_RDWR | constants.O_APPEND;
  try {
    await mkdir(dirname(file), { recursive: true });
    try {
      return { handle: await open(file, append | constants.O_CREAT | constants.O_EXCL, ownerOnly), isNew: true };
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
    // Opening a device may block; Windows has no such flag and no such file.
    const handle = await open(file, append | (constants.O_NONBLOCK ?? 0));
    let isFile = false;
    try {
      isFile = (await handle.stat()).isFile();
    } finally {
      if (!isFile) await handle.close();
    }
    if (isFile) return { handle, isNew: false };
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOSPC") throw fileUnwritable(`the journal ${file}`, cause);
    throw unreadableJournal(file, { details: cause instanceof Error ? cause.message : String(cause), cause });
  }
  throw unreadableJournal(file, { metaMessages: ["It is not a regular file, so a journal would be lost."] });
}

function unreadableJournal(file: string, options: ConstructorParameters<typeof InputError>[1]): InputError {
  return new InputError(`the journal ${file} cannot be opened`, { ...options, code: "FILE_UNREADABLE" });
}

/** Reads an open journal, and removes half a line at its end. */
async function readJournal(handle: FileHandle, file: string, scope: JournalScope): Promise<FoundJournal> {
  const { bytesRead, buffer: start } = await handle.read(Buffer.alloc(headerStart.length), { position: 0 });
  if (bytesRead === 0) {
    const notice = `${file} was empty: starting a new journal; scores are read from the chain in any case`;
    return { ...parseJournal("", file), bytes: new Map(), notices: [notice], size: 0 };
  }
  // Checked before reading the rest, because a file that is not a journal may have any size.
  if (start.toString() !== headerStart) throw notAJournal(file, 1);
  const bytes = await handle.readFile();
  // Counted in bytes, because half a line may end in half a character.
  const size = bytes.lastIndexOf(lineFeed) + 1;
  const header = headerFor(scope);
  // A crash while creating the journal left part of its header.
  if (size === 0 && !JSON.stringify(header).startsWith(bytes.toString())) throw notAJournal(file, 1);
  const parsed = parseJournal(bytes.toString("utf8", 0, size), file);
  if (parsed.header !== undefined) checkScope(file, parsed.header, header.journal);
  const found = { ...parsed, bytes: await readSignedBytes(file, parsed.unsettled), size };
  if (size === bytes.length) return { ...found, notices: [] };
  await handle.truncate(size);
  const notice = `${file} ended in half a line, which was removed; a transaction is sent only after its line is complete`;
  return { ...found, notices: [notice] };
}

function checkScope(file: string, header: JournalHeader, wanted: JournalHeader): void {
  for (const key of ["vm", "chainId", "address", "stage"] as const) {
    if (header[key].toLowerCase() === wanted[key].toLowerCase()) continue;
    throw new VipError(`the journal ${file} belongs to ${key} ${header[key]}, this push to ${key} ${wanted[key]}`, {
      code: "JOURNAL_INVALID",
      metaMessages: ["Name another journal file, or move this one away if that push is over."],
    });
  }
}
