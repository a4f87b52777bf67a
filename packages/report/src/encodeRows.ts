import { gzipSync } from "node:zlib";
import { encodeLeb128 } from "@vipscore/core/wire";
import type { ReportRow } from "./reportInput.ts";
import { packedFields } from "./scoreColumns.ts";

/** Bytes of the longest row: the length of the address, 32 bytes of it, and each u64 in LEB128. */
const longestRow = 1 + 32 + 10 * packedFields.length;

/**
 * Packs rows for the page, in their order: the number of the address's bytes, these bytes, and the packed fields as unsigned
 * LEB128; then gzip and base64. 100,000 rows take some 3 MB.
 */
export function encodeRows(rows: readonly ReportRow[]): string {
  const bytes = Buffer.alloc(rows.length * longestRow);
  let end = 0;
  for (const row of rows) {
    const { account } = row;
    const length = (account.length - 2) / 2;
    bytes[end] = length;
    bytes.write(account.slice(2), end + 1, "hex");
    end += 1 + length;
    for (const field of packedFields) {
      const packed = encodeLeb128(row[field]);
      bytes.set(packed, end);
      end += packed.length;
    }
  }
  return gzipSync(bytes.subarray(0, end)).toString("base64");
}
