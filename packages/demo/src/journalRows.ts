import { readFile } from "node:fs/promises";

/** A transaction that the journal recorded before sending. */
export interface JournalSent {
  readonly hash: string;
  readonly rows: number;
}

/** Returns the transactions in a journal so far; none if the file does not exist. */
export async function readJournalSent(file: string): Promise<readonly JournalSent[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  // A last line without a line feed is still being written.
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line) => (JSON.parse(line) as { readonly sent?: JournalSent }).sent ?? []);
}
