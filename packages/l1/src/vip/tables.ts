import { absentIf, isNotFound, type Answer } from "@vipscore/core/wire";
import type { VipReader } from "./openVip.ts";

/** Reads the handle of a table. */
export function readHandle(table: Answer): string {
  const handle = table.field("handle");
  return /^0x[0-9a-f]{1,64}$/i.test(handle.text()) ? handle.text() : handle.unreadable("a table's handle");
}

/** Reads a value of a table; undefined if the table does not have the key. */
export function findEntry<T>(
  { rest, at }: VipReader,
  handle: string,
  key: Buffer,
  read: (value: Answer) => T,
): Promise<T | undefined> {
  const path = `/initia/move/v1/tables/${handle}/entries/by_key_bytes`;
  const asked = rest.get(path, (answer) => read(answer.field("table_entry").field("value").json()), {
    ...at,
    query: { key_bytes: key.toString("base64") },
  });
  return absentIf(isNotFound, asked);
}

/** Entries in a page, and pages of a table at most. */
const limits = { entries: 100, pages: 100 };

/** Reads all entries of a table, sorted by the bytes of their keys. */
export async function listEntries<T>(
  { rest, at }: VipReader,
  handle: string,
  read: (entry: Answer, value: Answer) => T,
): Promise<readonly T[]> {
  const path = `/initia/move/v1/tables/${handle}/entries`;
  const found: T[] = [];
  let key = "";
  for (let page = 1; page <= limits.pages; page += 1) {
    const from: Record<string, string> = key === "" ? {} : { "pagination.key": key };
    const readPage = (answer: Answer): { readonly entries: readonly T[]; readonly next: string } => {
      const next = answer.optional("pagination")?.optional("next_key");
      if (next !== undefined && page === limits.pages) next.unreadable(`the end of at most ${limits.pages} pages`);
      const entries = answer.field("table_entries").elements();
      return {
        entries: entries.map((entry) => read(entry, entry.field("value").json())),
        next: next?.text() ?? "",
      };
    };
    const query = { "pagination.limit": `${limits.entries}`, ...from };
    const { entries, next } = await rest.get(path, readPage, { ...at, query });
    found.push(...entries);
    if (next === "") break;
    key = next;
  }
  return found;
}

/** A number in a table's key: a BCS list of its 8 bytes, big-endian, so that the table is sorted by it. */
export function keyOf(value: bigint): Buffer {
  const key = Buffer.alloc(9, 8);
  key.writeBigUInt64BE(value, 1);
  return key;
}
