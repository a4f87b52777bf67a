import type { PushPlan, ScoreTable, Verification, VipError } from "@vipscore/core";
import type { SentTransaction } from "../sendPlan.ts";

/** How far a round came; one that fails leaves the rest out. */
export interface RoundProgress {
  table?: ScoreTable;
  plan?: PushPlan;
  readonly transactions: SentTransaction[];
  setbacks: number;
  verification?: Verification;
}

/** A round that has ended. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** When it ended. */
  readonly at: Date;
  readonly seconds: number;
  readonly progress: RoundProgress;
  /** Why it failed; undefined for a round that did not. */
  readonly error: VipError | undefined;
}

/** How a round ended; `finalized` when somebody else has finalized the stage. */
export type Outcome = "ok" | "failed" | "finalized";

export function outcomeOf({ error }: Round): Outcome {
  if (error === undefined) return "ok";
  return error.code === "STAGE_FINALIZED" ? "finalized" : "failed";
}

/** Rows of a round that are in blocks. */
export function rowsWritten({ transactions }: RoundProgress): number {
  return transactions.reduce((sum, { rows }) => sum + rows, 0);
}
