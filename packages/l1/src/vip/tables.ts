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

/** A number in a table's key: a BCS list of its 8 bytes, big-endian, so that the table is sorted by it. */
export function keyOf(value: bigint): Buffer {
  const key = Buffer.alloc(9, 8);
  key.writeBigUInt64BE(value, 1);
  return key;
}
