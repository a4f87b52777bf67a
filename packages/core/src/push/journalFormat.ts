import { VipError } from "../errors/vipError.ts";
import { isObject, parseObject } from "../wire/answer.ts";

/** First line of a journal: its contract and stage. */
export interface JournalHeader {
  readonly version: 1;
  readonly vm: string;
  readonly chainId: string;
  readonly address: string;
  readonly stage: string;
}

/** A transaction that was about to be sent. */
export interface SentRecord {
  readonly hash: string;
  readonly sequence: bigint;
  readonly gas: bigint;
  readonly rows: number;
  /** Unix time of the line, in milliseconds. */
  readonly sentAt: number;
  /** SHA-256 of its signed bytes, in hex. */
  readonly sha256: string;
  /** The run that signed it; undefined before the first one, as for a transaction that finalizes the stage. */
  readonly run: RunTable | undefined;
}

/** What a run writes. */
export interface RunTable {
  /** The table's digest. */
  readonly digest: string;
  /** True if it sets accounts missing from the table to 0. */
  readonly prune: boolean;
}

/**
 * The outcome of a transaction: `included` it is in a block and succeeded, `failed` it is in a block and failed, `refused` the
 * node did not accept it, `dropped` it no longer exists and its sequence is free or used by another, `unclear` its sequence is
 * used, and the node has no receipt.
 */
export type SettledOutcome = "included" | "failed" | "refused" | "dropped" | "unclear";

export interface ParsedJournal {
  readonly header: JournalHeader | undefined;
  /** The last run. */
  readonly run: RunTable | undefined;
  readonly unsettled: Map<string, SentRecord>;
  /** The sequences of the transactions that wrote rows, by hash, in the order in which they were settled. */
  readonly written: Map<string, bigint>;
  /** Hashes of the transactions with rows that the node refused or no longer knew. */
  readonly dropped: string[];
}

/** The first bytes of every journal. */
export const headerStart = '{"journal":{"version":1,';

/** Parses a journal's text, which consists of complete lines. @throws VipError `JOURNAL_INVALID` naming the line. */
export function parseJournal(text: string, file: string): ParsedJournal {
  const unsettled = new Map<string, SentRecord>();
  const written = new Map<string, bigint>();
  const dropped: string[] = [];
  let header: JournalHeader | undefined;
  let run: RunTable | undefined;
  const lines = text.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const record = parseLine(line);
    if (record === undefined) throw notAJournal(file, index + 1);
    if ((header === undefined) !== "journal" in record) throw notAJournal(file, index + 1, "is out of place");
    if ("journal" in record) header = record.journal;
    else if ("run" in record) run = record.run;
    else if ("sent" in record) unsettled.set(record.sent.hash, { ...record.sent, run });
    else if ("settled" in record) {
      settle(record.settled.hash, record.settled.outcome, { unsettled, written, dropped });
    }
  }
  return { header, run, unsettled, written, dropped };
}

/**
 * Moves a transaction from the unsettled ones, or from the written ones if its outcome is corrected, to the list of its outcome.
 * One that failed in a block or is unclear, or has no rows, as one that finalizes the stage, is in no list.
 */
export function settle(
  hash: string,
  outcome: unknown,
  { unsettled, written, dropped }: Pick<ParsedJournal, "unsettled" | "written" | "dropped">,
): void {
  const { rows, sequence } = unsettled.get(hash) ?? { rows: 0, sequence: 0n };
  const used = written.get(hash) ?? (rows > 0 ? sequence : undefined);
  written.delete(hash);
  unsettled.delete(hash);
  if (used === undefined) return;
  if (outcome === "included") written.set(hash, used);
  else if (outcome === "refused" || outcome === "dropped") dropped.push(hash);
}

/** Returns the error `JOURNAL_INVALID` for an invalid or misplaced line. */
export function notAJournal(file: string, line: number, fault = "is not a journal line"): VipError {
  return new VipError(`${file}:${line} ${fault}`, {
    code: "JOURNAL_INVALID",
    metaMessages: [
      "The file is damaged or not a journal of vipscore, and was not changed. Name another journal file, or move this one away; scores are read from the chain in any case.",
    ],
  });
}

type JournalLine =
  | { readonly journal: JournalHeader }
  | { readonly run: RunTable }
  | { readonly sent: Omit<SentRecord, "run"> }
  | { readonly settled: { readonly hash: string; readonly outcome: unknown } };

function parseLine(line: string): JournalLine | undefined {
  const { journal, run, sent, settled } = parseObject(line) ?? {};
  if (isObject(journal)) {
    const { version, vm, chainId, address, stage } = journal;
    if (version !== 1 || !isText(vm) || !isText(chainId) || !isText(address) || !isText(stage)) return undefined;
    return { journal: { version, vm, chainId, address, stage } };
  }
  if (isObject(run)) {
    const { digest, prune } = run;
    return isText(digest) ? { run: { digest, prune: prune === true } } : undefined;
  }
  if (isObject(sent)) {
    const { hash, sequence, gas, rows, at, sha256 } = sent;
    if (!isText(hash) || !isText(sha256) || !isCount(sequence) || !isCount(gas)) return undefined;
    const sentAt = isText(at) ? Date.parse(at) : Number.NaN;
    if (typeof rows !== "number" || Number.isNaN(sentAt)) return undefined;
    return { sent: { hash, sequence: BigInt(sequence), gas: BigInt(gas), rows, sentAt, sha256 } };
  }
  if (!isObject(settled) || !isText(settled["hash"])) return undefined;
  return { settled: { hash: settled["hash"], outcome: settled["outcome"] } };
}

function isCount(value: unknown): value is string {
  return isText(value) && /^\d{1,20}$/.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
