import { gzipSync } from "node:zlib";
import { InputError, quoteText } from "@vipscore/core/errors";
import { u64Max } from "@vipscore/core/values";
import { encodeLeb128 } from "@vipscore/core/wire";
import type { ReportRow } from "./reportInput.ts";
import { packedFields, type RankedRow } from "./scoreColumns.ts";

/**
 * Sorts rows by score, the highest first, and accounts of one score by address.
 *
 * @throws InputError `INPUT_INVALID` for an account that is not `0x` and 40 or 64 hex digits or is there twice, for a score
 * beyond u64, or if the scores do not add up to the total.
 */
export function rankRows(rows: Iterable<ReportRow>, total: bigint): readonly RankedRow[] {
  const checked: ReportRow[] = [];
  const accounts = new Set<string>();
  let sum = 0n;
  for (const given of rows) {
    const row = readRow(given);
    if (accounts.has(row.account)) throw new InputError(`account ${row.account} appears twice`);
    accounts.add(row.account);
    checked.push(row);
    sum += row.score;
  }
  if (sum !== total) throw new InputError(`the scores add up to ${sum}, which is not the total ${total}`);
  checked.sort(highestFirst);
  let rank = 0;
  return checked.map((row, index) => {
    if (index === 0 || checked[index - 1]?.score !== row.score) rank = index + 1;
    return Object.assign(row, { rank });
  });
}

/** Returns the number of accounts with a score above 0. */
export function countScored(ranked: readonly RankedRow[]): number {
  // Rows of score 0 are at the end.
  return ranked.findLastIndex(({ score }) => score > 0n) + 1;
}

/** Returns a row with its account in lower case; 32 bytes that start with 12 zero bytes are the account of the last 20. */
export function readRow(row: ReportRow): ReportRow {
  const { account } = row;
  if (!/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(account))
    throw new InputError(`address ${quoteText(account)} is not 0x and 40 or 64 hexadecimal digits`);
  for (const field of packedFields) {
    const value = row[field];
    if (value < 0n || value > u64Max) throw new InputError(`${field} ${value} is not an integer from 0 to ${u64Max}`);
  }
  return { ...row, account: account.toLowerCase().replace(/^0x0{24}(?=.{40}$)/, "0x") };
}

function highestFirst(one: ReportRow, other: ReportRow): number {
  if (one.score !== other.score) return one.score > other.score ? -1 : 1;
  return one.account < other.account ? -1 : Number(one.account > other.account);
}

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
