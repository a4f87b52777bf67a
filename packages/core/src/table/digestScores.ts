import { createHash } from "node:crypto";

import type { Account } from "../account.ts";
import type { Score } from "../score.ts";

/**
 * SHA-256, in hex, of the canonical text of scores: one line `account,score\n` for each score above 0, sorted ascending
 * by the account's text.
 *
 * Two sets of scores with equal digests say the same to L1, for which an absent row and a row of 0 are one thing. The
 * digest depends neither on the order of rows nor on how an input spelled an account.
 */
export function digestScores(scores: Iterable<readonly [Account, Score]>): string {
  const positive = Array.from(scores).filter(([, score]) => score > 0n);
  positive.sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256");
  let text = "";
  for (const [account, score] of positive) {
    text += `${account},${score}\n`;
    // Fewer, larger updates: one call per row would cost more than the hashing.
    if (text.length > 65_536) {
      hash.update(text);
      text = "";
    }
  }
  return hash.update(text).digest("hex");
}
