import { errorCodes, exitStatusOf, type ErrorCode } from "@vipscore/core";
import type { FaultKind } from "../faultChoice.ts";
import type { FaultCounts } from "../faultProxy.ts";

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
  PENDING_TRANSACTIONS: ["forgotten", "otherWriter", "baseFeeJump"],
};

/** True if these faults can explain this status and code. */
export function isFitting(status: number | null, code: string | undefined, faults: FaultCounts): boolean {
  if (code === undefined || !isErrorCode(code) || exitStatusOf(code) !== status) return false;
  return (reasons[code] ?? []).some((kind) => (faults[kind] ?? 0) > 0);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
