import type { NodeError } from "@vipscore/core";
import { RpcError } from "@vipscore/core/wire";
import { isSlow } from "../unreadable.ts";

/** The node would answer the same request a moment later: a limit of its rate, or of its time. */
const limitTexts = /rate.?limit|too many requests|timed? ?out|try again/i;

/**
 * True for a failure that the same request may not meet a moment later. Any other refusal, and an answer that is too slow, is
 * not waited for: a smaller request may be answered.
 */
export function isPassing(error: NodeError): boolean {
  if (!error.mayPass || isSlow(error)) return false;
  return !(error instanceof RpcError) || error.rpcCode === 429 || limitTexts.test(error.details ?? "");
}
