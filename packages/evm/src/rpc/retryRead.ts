import { pause, VipError } from "@vipscore/core";
import { RpcError } from "./jsonRpc.ts";

/** Pauses before the second, third and fourth attempt, in milliseconds. */
const pauses = [200, 600, 1800];

/** Answers that a moment later can be different: rate limits, and a node that lags behind the one asked before. */
const passingTexts = /rate limit|too many requests|limit exceeded|header not found|unknown block|timed? ?out/i;

/** True for a failure that the same request may not meet a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcError) {
    return error.rpcCode === -32005 || error.rpcCode === 429 || passingTexts.test(error.details ?? "");
  }
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}

/** Runs a read up to four times while the endpoint fails in a way that can pass; throws the last error. */
export async function retryRead<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (const milliseconds of pauses) {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    // Half of the pause is random, so that many readers of one busy node do not come back together.
    await pause(milliseconds * (0.5 + Math.random() / 2), signal);
  }
  return read();
}
