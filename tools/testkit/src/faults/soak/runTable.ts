import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { parseAccount, ScoreTable, type Account, type ScoreRow } from "@vipscore/core";
import { randomFor } from "../faultChoice.ts";

/** The table that a run pushes, and the rows that the chain holds before. */
export interface RunTable {
  readonly table: ScoreTable;
  /** Rows that the chain holds before the push: some as in the table, some with another score. */
  readonly present: ScoreTable;
}

const minRows = 200;
/** Maximum rows of a drawn table. */
export const maxRows = 2_000;

/** Draws a table: the same for the same seed. `rows` defaults to a number from 200 to 2,000. */
export function drawRunTable(seed: number, rows?: number): RunTable {
  const random = randomFor(seed, "table");
  const drawn = minRows + random.below(maxRows - minRows + 1);
  const unchangedPercent = random.below(40);
  const changedPercent = random.below(40);
  const wanted: ScoreRow[] = [];
  const present: ScoreRow[] = [];
  for (let number = 0; number < (rows ?? drawn); number += 1) {
    const account = accountOf(seed, number);
    const score = BigInt(1 + random.below(1_000_000));
    wanted.push({ account, score });
    const share = random.below(100);
    if (share < unchangedPercent) present.push({ account, score });
    else if (share < unchangedPercent + changedPercent) present.push({ account, score: score + 1n });
  }
  return { table: ScoreTable.from(wanted), present: ScoreTable.from(present) };
}

/** Returns the key of a run's signer. */
export function runKey(seed: number): Hex {
  return `0x${digest(`signer ${seed}`)}`;
}

function accountOf(seed: number, number: number): Account {
  return parseAccount(`0x${digest(`account ${seed} ${number}`).slice(0, 40)}`, { accountBytes: [20] });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
