import { errorCodes, exitStatusOf, type ErrorCode } from "@vipscore/core";
import type { FaultKind } from "../faultChoice.ts";
import type { FaultCounts } from "../faultProxy.ts";
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

/** A push that has ended, and whether the chain matched the file at the height that it verified. */
export interface JudgedPush extends PushEnd {
  readonly agrees: boolean;
  /** Calls of others that wrote between the plan and the verification. */
  readonly otherWrites: number;
}

export interface Evidence {
  /** The push with faults. */
  readonly first: JudgedPush;
  /** The push without faults, if the first did not succeed. */
  readonly again: JudgedPush | undefined;
  /** The signal sent to the first push. */
  readonly stop: RunStop | undefined;
  readonly faults: FaultCounts;
  /** True if another member wrote to the stage. */
  readonly hasOthers: boolean;
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

function findFault({ first, again, stop, faults, hasOthers, rewritten }: Evidence): string | undefined {
  if (first.hung) return "the push hung";
  if ((first.status === 0 || first.heights !== undefined) && !first.agrees) {
    return "false success: the chain does not match the file at that height";
  }
  if (first.status === 0 && first.otherWrites > 0) return `false success: others wrote, ${first.otherWrites} calls`;
  if (first.status !== 0 && !isAllowed(first, stop, faults) && !(hasOthers && isOfOthers(first)))
    return `false alarm: ${describe(first)}`;
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

/** True for an error that another member's writes explain, or nodes that a slow machine finds behind for too long. */
function isOfOthers({ status, code }: PushEnd): boolean {
  return status === 3 && (code === "OTHERS_WROTE" || code === "VERIFY_MISMATCH");
}

function describe({ status, signal, code }: PushEnd): string {
  return signal === null ? `status ${status}, ${code ?? "no code"}` : `ended by ${signal}`;
}

const noAnswer: readonly FaultKind[] = [
  "delay",
  "hang",
  "reset",
  "lostAnswer",
  "limited",
  "limitedRetryAfter",
  "unavailable",
  "unavailableAfter",
  "restart",
];
const notItsProtocol: readonly FaultKind[] = [
  "webPage",
  "emptyAnswer",
  "truncated",
  "wrongAnswer",
  "forgotten",
  "duplicate",
];
/** Faults that make a node refuse a transaction that was valid when signed. */
const refusals: readonly FaultKind[] = ["forgotten", "otherWriter", "internalError", "baseFeeJump", "staleRead"];

/**
 * The codes with which a push may give up, and the faults that can explain each. Any other code is a false alarm: the
 * soak has no finalized stage, no missing contract and no empty account.
 */
const reasons: Readonly<Partial<Record<ErrorCode, readonly FaultKind[]>>> = {
  NODE_UNREACHABLE: noAnswer,
  NODE_BAD_RESPONSE: notItsProtocol,
  NODE_ERROR: ["internalError", "staleRead"],
  NODE_BEHIND: ["staleRead"],
  BROADCAST_REFUSED: refusals,
  NO_PROGRESS: refusals,
  TRANSACTION_FAILED: ["otherWriter"],
  FEE_LIMIT: ["baseFeeJump"],
  PENDING_TRANSACTIONS: ["forgotten", "otherWriter", "baseFeeJump"],
};

/** True if these faults can explain this status and code. */
function isFitting(status: number | null, code: string | undefined, faults: FaultCounts): boolean {
  if (code === undefined || !isErrorCode(code) || exitStatusOf(code) !== status) return false;
  return (reasons[code] ?? []).some((kind) => (faults[kind] ?? 0) > 0);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
