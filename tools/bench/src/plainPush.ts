import type { ScoreRow } from "@vipscore/core";
import type { PlainClient } from "./benchChain.ts";

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

/** The largest batch that a library's gas estimation accepts. */
interface LargestBatch {
  readonly rows: number;
  /** The estimation's answer to a batch with one more row; undefined if it accepts all rows at once. */
  readonly refusal: string | undefined;
}

/** Start of the doubling search. */
const firstRows = 64;

/**
 * Finds the largest batch that an estimation accepts, by doubling, then halving.
 *
 * @param most - Maximum number of rows to try.
 * @param estimate - Throws for a batch that is too large.
 * @throws the error of `estimate` for a single row.
 */
export async function largestBatch(most: number, estimate: (rows: number) => Promise<unknown>): Promise<LargestBatch> {
  const refusalOf = async (rows: number): Promise<string | undefined> => {
    try {
      await estimate(rows);
      return undefined;
    } catch (error) {
      if (rows === 1) throw error;
      return refusalText(error);
    }
  };
  let taken = 0;
  let next = Math.min(firstRows, most);
  let refusal = await refusalOf(next);
  while (refusal === undefined) {
    if (next === most) return { rows: most, refusal };
    taken = next;
    next = Math.min(next * 2, most);
    refusal = await refusalOf(next);
  }
  for (let refused = next; refused - taken > 1;) {
    const middle = Math.floor((taken + refused) / 2);
    const text = await refusalOf(middle);
    if (text === undefined) taken = middle;
    else [refused, refusal] = [middle, text];
  }
  return { rows: taken, refusal };
}

/** Returns the node's text if the error of an HTTP client contains it, otherwise the error's. */
function refusalText(error: unknown): string {
  const { response, details, message } = error as {
    readonly response?: { readonly data?: { readonly message?: unknown } };
    readonly details?: unknown;
    readonly message?: unknown;
  };
  const text = response?.data?.message ?? details ?? message ?? error;
  return String(text).replace(/\s+/g, " ").slice(0, 300);
}
