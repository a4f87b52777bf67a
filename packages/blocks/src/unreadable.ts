import { NodeError } from "@vipscore/core";

/** Start of the details for an answer that was too slow or broke off; the first is core's text. */
const slowText = /^(?:no answer to|the answer to) /;

/** True if the endpoint accepted the request, but its answer was too slow or broke off. */
export function isSlow(error: unknown): boolean {
  return error instanceof NodeError && error.code === "NODE_UNREACHABLE" && slowText.test(error.details ?? "");
}

/** True for an answer that is too slow, too large, or unreadable: a smaller request may succeed. */
export function isUnreadable(error: unknown): error is NodeError {
  return isSlow(error) || (error instanceof NodeError && error.code === "NODE_BAD_RESPONSE");
}
