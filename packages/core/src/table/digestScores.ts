import { createHash } from "node:crypto";
import type { Account } from "../account.ts";
import type { Score } from "../stage.ts";

const linesPerUpdate = 1000;

/** Scores by account: a table, a stage, a map. */
export interface ScoresByAccount {
  keys(): Iterable<Account>;
  get(account: Account): Score | undefined;
}

/**
 * Returns the SHA-256, in hex, of the canonical text of scores: one line `account,score\n` for each score above 0, sorted ascending
 * by the account's text.
 *
 * Two sets of scores with equal digests are the same to L1, which treats a missing row as a row of 0. The
 * digest depends neither on the order of rows nor on how an input spelled an account.
 */
export function digestScores(scores: ScoresByAccount): string {
  // Only the accounts are sorted: a million lines, or pairs, would take another 100 MB.
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
