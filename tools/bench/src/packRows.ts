import type { ScoreRow } from "@vipscore/core";

/**
 * Encodes rows for `update_scores_packed` of the CosmWasm contract: for each row the length of the address in one
 * byte, the address, and the score in eight bytes, the highest first (contracts/wasm/SPEC.md).
 */
export function packRows(rows: readonly ScoreRow[]): Buffer {
  return Buffer.concat(
    rows.map(({ account, score }) => {
      const address = Buffer.from(account.slice(2), "hex");
      const amount = Buffer.from(score.toString(16).padStart(16, "0"), "hex");
      return Buffer.from([address.length, ...address, ...amount]);
    }),
  );
}
