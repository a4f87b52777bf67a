import type { ScoreRow } from "@vipscore/core";

/**
 * Packs rows for `update_scores_packed`, one after another: the length of the address in one byte, the bytes of the address,
 * the score in eight bytes, the highest first (W19 of contracts/wasm/SPEC.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const packed = Buffer.alloc(packedBytes({ account, score }));
      packed[0] = address.length;
      address.copy(packed, 1);
      packed.writeBigUInt64BE(score, 1 + address.length);
      return packed;
    }),
  );
}

/** The bytes of a packed row, in a message and in the contract's pages. */
export function packedBytes({ account }: ScoreRow): number {
  return 1 + (account.length - 2) / 2 + 8;
}
