import { createHash } from "node:crypto";

/** One row of the demo's CSV. */
export interface DemoRow {
  /** 20 bytes in lower-case hex. */
  readonly address: string;
  readonly score: bigint;
}

/**
 * Generates rows like a rollup's: most accounts with low scores, a few with very high ones (log-normal, median about 400).
 * The same seed gives the same rows.
 */
export function makeDemoRows(seed: number, rows: number): readonly DemoRow[] {
  return Array.from({ length: rows }, (_, index) => {
    const bytes = createHash("sha256").update(`vipscore demo ${seed} ${index}`).digest();
    // Box-Muller transform of two uniform numbers, from bytes that the address does not use.
    const first = (bytes.readUInt32BE(20) + 1) / 2 ** 32;
    const second = bytes.readUInt32BE(24) / 2 ** 32;
    const normal = Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
    const score = BigInt(1 + Math.floor(Math.exp(6 + 1.5 * normal)));
    return { address: `0x${bytes.toString("hex", 0, 20)}`, score };
  });
}

/** Formats the rows as CSV with a header. */
export function toCsv(rows: readonly DemoRow[]): string {
  return `address,score\n${rows.map(({ address, score }) => `${address},${score}\n`).join("")}`;
}
