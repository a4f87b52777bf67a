import type { NodeError } from "@vipscore/core";
import { RpcError } from "@vipscore/core/wire";
import { isSlow } from "../unreadable.ts";

/** Failures after which the same request may succeed a moment later: a rate limit or a timeout. */
const limitTexts = /rate.?limit|too many requests|timed? ?out|try again/i;

/**
 * True for a temporary failure of a request. Other refusals and slow answers are not retried: a smaller request may
 * succeed.
 */
export function isPassing(error: NodeError): boolean {
  if (!error.mayPass || isSlow(error)) return false;
  return !(error instanceof RpcError) || error.rpcCode === 429 || limitTexts.test(error.details ?? "");
}
