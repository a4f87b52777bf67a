import type { ScoreRow } from "@vipscore/core";

/**
 * Rows as `update_scores_packed` takes them, one after another: the number of the address's bytes in a byte, those bytes, the
 * score in unsigned LEB128 in its shortest form (W19 of docs/spec.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      return Buffer.from([address.length, ...address, ...leb128(score)]);
    }),
  );
}

/** How many bytes a score has in LEB128. */
export function leb128Bytes(score: bigint): number {
  return Math.max(1, Math.ceil(score.toString(2).length / 7));
}

function leb128(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
