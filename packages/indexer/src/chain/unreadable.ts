import { NodeError } from "@vipscore/core";

/** How the details of an answer begin that came too slowly or broke off; the first is core's text. */
const slowText = /^(?:no answer to|the answer to) /;

/** True where the endpoint took the request, but its answer did not come in time or broke off. */
export function isSlow(error: unknown): boolean {
  return error instanceof NodeError && error.code === "NODE_UNREACHABLE" && slowText.test(error.details ?? "");
}

/** True for an answer that is too slow, too large, or cannot be read: a smaller request may be answered. */
export function isUnreadable(error: unknown): error is NodeError {
  return isSlow(error) || (error instanceof NodeError && error.code === "NODE_BAD_RESPONSE");
}
