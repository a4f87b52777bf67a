import type { ScoreRow } from "@vipscore/core";

/**
 * Packs rows for `update_scores_packed`, one after another: the length of the address in one byte, the bytes of the address,
 * the score in the shortest form of unsigned LEB128 (W19 of docs/spec.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      return Buffer.from([address.length, ...address, ...leb128(score)]);
    }),
  );
}

/** The length of a score in LEB128, in bytes. */
export function leb128Bytes(score: bigint): number {
  return Math.max(1, Math.ceil(score.toString(2).length / 7));
}

function leb128(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
