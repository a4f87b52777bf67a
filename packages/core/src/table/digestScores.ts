import { createHash } from "node:crypto";

import type { Account } from "../account.ts";
import type { Score } from "../score.ts";

const linesPerUpdate = 1000;

/**
 * SHA-256, in hex, of the canonical text of scores: one line `account,score\n` for each score above 0, sorted ascending
 * by the account's text.
 *
 * Two sets of scores with equal digests say the same to L1, for which an absent row and a row of 0 are one thing. The
 * digest depends neither on the order of rows nor on how an input spelled an account.
 */
export function digestScores(scores: Iterable<readonly [Account, Score]>): string {
  const lines: string[] = [];
  for (const [account, score] of scores) if (score > 0n) lines.push(`${account},${score}\n`);
  // Lines sort as their accounts do, for no account occurs twice and a comma sorts before every hex digit; sorting plain
  // strings takes half the time of sorting pairs.
  lines.sort();
  const hash = createHash("sha256");
  // Fewer, larger updates: one call per row would cost more than the hashing.
  for (let start = 0; start < lines.length; start += linesPerUpdate) {
    hash.update(lines.slice(start, start + linesPerUpdate).join(""));
  }
  return hash.digest("hex");
}
