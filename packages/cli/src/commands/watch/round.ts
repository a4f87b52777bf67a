import type { PushPlan, ScoreTable, Verification, VipError } from "@vipscore/core";
import type { SentTransaction } from "../../contract/sendPlan.ts";

/** The progress of a round; a failed round leaves the later fields undefined. */
export interface RoundProgress {
  table?: ScoreTable;
  plan?: PushPlan;
  readonly transactions: SentTransaction[];
  setbacks: number;
  verification?: Verification;
}

/** A completed round. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** When it ended. */
  readonly at: Date;
  readonly seconds: number;
  readonly progress: RoundProgress;
  /** Why it failed; undefined if it succeeded. */
  readonly error: VipError | undefined;
}

/** The result of a round; `finalized` when someone else has finalized the stage. */
export type Outcome = "ok" | "failed" | "finalized";

export function outcomeOf({ error }: Round): Outcome {
  if (error === undefined) return "ok";
  return error.code === "STAGE_FINALIZED" ? "finalized" : "failed";
}

/** Returns the number of confirmed rows of a round. */
export function rowsWritten({ transactions }: RoundProgress): number {
  return transactions.reduce((sum, { rows }) => sum + rows, 0);
}
