import { createHash } from "node:crypto";
import { parseAccount, ScoreTable, type ScoreRow } from "@vipscore/core";

/** Scores have seven digits up to nine million rows, so that every row costs the same. */
const firstScore = 1_000_000n;

/** The table of a push bench: accounts and scores depend only on the row number, so every run uses the same. */
export function benchTable(rows: number): ScoreTable {
  return ScoreTable.from(rowsUpTo(rows));
}

function* rowsUpTo(rows: number): Iterable<ScoreRow> {
  for (let number = 0; number < rows; number += 1) {
    const digest = createHash("sha256").update(`account ${number}`).digest("hex");
    yield {
      account: parseAccount(`0x${digest.slice(0, 40)}`, { accountBytes: [20] }),
      score: firstScore + BigInt(number),
    };
  }
}
