import type { ScoreRow } from "@vipscore/core";
import type { PlainClient } from "./benchChain.ts";
import { largestBatch, type LargestBatch } from "./largestBatch.ts";

/** Percentage of the largest batch to use, because rows differ slightly in cost. */
const usedPercent = 99;

/** Finds the batch that a plain push uses: 99% of the largest that the library's estimation accepts. */
export async function plainBatch(
  connect: () => Promise<PlainClient>,
  rows: readonly ScoreRow[],
): Promise<LargestBatch> {
  const client = await connect();
  try {
    const largest = await largestBatch(rows.length, (count) => client.estimate(rows.slice(0, count)));
    const { refusal } = largest;
    if (refusal === undefined) return largest;
    return { rows: Math.max(1, Math.floor((largest.rows * usedPercent) / 100)), refusal };
  } finally {
    client.close();
  }
}

/**
 * Writes rows one transaction after the other, as a tutorial does.
 *
 * @returns seconds from connecting to the last receipt.
 */
export async function plainPush(
  connect: () => Promise<PlainClient>,
  rows: readonly ScoreRow[],
  rowsPerBatch: number,
): Promise<number> {
  const started = performance.now();
  const client = await connect();
  try {
    for (let start = 0; start < rows.length; start += rowsPerBatch) {
      await client.update(rows.slice(start, start + rowsPerBatch));
    }
    return (performance.now() - started) / 1_000;
  } finally {
    client.close();
  }
}
