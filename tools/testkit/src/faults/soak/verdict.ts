import type { FaultCounts } from "../faultProxy.ts";
import { isFitting } from "./fittingCodes.ts";
import type { PushEnd } from "./pushCommand.ts";
import type { RunStop } from "./runStop.ts";

/**
 * Outcome of a run: `done` with faults; `stopped` by a signal, or `gaveUp` with a code that the faults explain, and then
 * completed by a second push without faults; anything else is `WRONG`.
 */
export type Outcome = "done" | "stopped" | "gaveUp" | "WRONG";

/** A run's verdict. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The code of the push with faults; null for success and a kill. */
  readonly code: string | null;
  /** Why the run is WRONG; null for any other outcome. */
  readonly reason: string | null;
}

/** A push that has ended, and whether the chain then matched the file. */
export interface JudgedPush extends PushEnd {
  readonly agrees: boolean;
}

export interface Evidence {
  /** The push with faults. */
  readonly first: JudgedPush;
  /** The push without faults, if the first did not succeed. */
  readonly again: JudgedPush | undefined;
  /** The signal sent to the first push. */
  readonly stop: RunStop | undefined;
  readonly faults: FaultCounts;
  /** Accounts that were written more than once although no transaction with them was in doubt. */
  readonly rewritten: number;
}

const interruptedStatus = 130;

/** Judges a run. */
export function judge(evidence: Evidence): Verdict {
  const { first, stop } = evidence;
  const code = first.code ?? null;
  const reason = findFault(evidence) ?? null;
  if (reason !== null) return { outcome: "WRONG", code, reason };
  if (first.status === 0) return { outcome: "done", code, reason };
  const byStop = stop !== undefined && (first.status === null || first.code === "INTERRUPTED");
  return { outcome: byStop ? "stopped" : "gaveUp", code, reason };
}

function findFault({ first, again, stop, faults, rewritten }: Evidence): string | undefined {
  if (first.hung) return "the push hung";
  if (first.status === 0 && !first.agrees) return "false success: the chain does not match the file";
  if (first.status !== 0 && !isAllowed(first, stop, faults)) return `false alarm: ${describe(first)}`;
  if (again?.hung === true) return "the second push, without faults, hung";
  if (again !== undefined && again.status !== 0) return `the second push, without faults, failed: ${describe(again)}`;
  if (again !== undefined && !again.agrees) return "false success of the second push";
  if (rewritten > 0) return `${rewritten} rows were written twice without a transaction in doubt`;
  return undefined;
}

function isAllowed({ status, signal, code }: PushEnd, stop: RunStop | undefined, faults: FaultCounts): boolean {
  if (stop !== undefined && signal === stop.signal) return true;
  if (stop !== undefined && status === interruptedStatus && code === "INTERRUPTED") return true;
  return isFitting(status, code, faults);
}

function describe({ status, signal, code }: PushEnd): string {
  return signal === null ? `status ${status}, ${code ?? "no code"}` : `ended by ${signal}`;
}
