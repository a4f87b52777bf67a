import { readFile } from "node:fs/promises";
import { valueAt } from "../valueAt.ts";

/** A transaction that the journal says was about to leave. */
export interface JournalSent {
  readonly hash: string;
  readonly rows: number;
}

/** The transactions in a journal's text so far; nothing while the file does not exist. */
export async function readJournalSent(file: string): Promise<readonly JournalSent[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  // A last line without a line feed is still being written.
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => valueAt(JSON.parse(line), "sent")).filter(isSent);
}

function isSent(value: unknown): value is JournalSent {
  return typeof valueAt(value, "hash") === "string" && typeof valueAt(value, "rows") === "number";
}
