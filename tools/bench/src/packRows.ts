import type { ScoreRow } from "@vipscore/core";

/**
 * Encodes rows for `update_scores_packed` of the CosmWasm contract: for each row the length of the address in one
 * byte, the address, and the score in unsigned LEB128 (docs/spec.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      return Buffer.from([address.length, ...address, ...leb128(score)]);
    }),
  );
}

function leb128(value: bigint): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || rest > 0n; rest >>= 7n)
    bytes.push(Number(rest & 0x7fn) + (rest > 0x7fn ? 0x80 : 0));
  return bytes;
}
