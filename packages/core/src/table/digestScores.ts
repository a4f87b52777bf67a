import { createHash } from "node:crypto";

import type { Account } from "../account.ts";
import type { Score } from "../score.ts";

const linesPerUpdate = 1000;

/** Scores by account: a table, a stage, a map. */
export interface ScoresByAccount {
  keys(): Iterable<Account>;
  get(account: Account): Score | undefined;
}

/**
 * SHA-256, in hex, of the canonical text of scores: one line `account,score\n` for each score above 0, sorted ascending
 * by the account's text.
 *
 * Two sets of scores with equal digests say the same to L1, for which an absent row and a row of 0 are one thing. The
 * digest depends neither on the order of rows nor on how an input spelled an account.
 */
export function digestScores(scores: ScoresByAccount): string {
  // The accounts alone are sorted: a million lines, or pairs, would take 100 MB besides.
  const accounts = Array.from(scores.keys()).sort();
  const hash = createHash("sha256");
  // Fewer, larger updates: one call per row would cost more than the hashing.
  for (let start = 0; start < accounts.length; start += linesPerUpdate) {
    let lines = "";
    for (const account of accounts.slice(start, start + linesPerUpdate)) {
      const score = scores.get(account) ?? 0n;
      if (score > 0n) lines += `${account},${score}\n`;
    }
    hash.update(lines);
  }
  return hash.digest("hex");
}
