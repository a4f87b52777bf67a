import { NodeError } from "../errors/nodeError.ts";
import type { VipError } from "../errors/vipError.ts";
import { patienceMs } from "../time/patience.ts";

/**
 * Texts that say that a node does not have a height yet. Sources: Cosmos SDK 0.50 (`baseapp/abci.go`), CometBFT 0.38
 * (`rpc/core/env.go`), minievm v1.2.18, geth, Hardhat 3. For a deleted height they say `lowest height is …`.
 */
const behindTexts = [
  /height in the future/i,
  /must be less than or equal to the current blockchain height/i,
  /requested height is greater than the latest block height/i,
  /height \d+ is not available(?!.*lowest)/i,
  /header not found|unknown block|invalid block tag/i,
];

/** A height that was deleted or does not exist yet (Cosmos SDK 0.50, `baseapp/abci.go`). */
const missingState = /failed to load state at height (\d+).*latest height: (\d+)/i;

/** True for a node's answer that it does not have a height yet. */
export function isBehind(error: unknown): error is NodeError {
  if (!(error instanceof NodeError) || error.isOfContract) return false;
  const { details = "" } = error;
  const [, requested = "0", latest = "0"] = missingState.exec(details) ?? [];
  return BigInt(requested) > BigInt(latest) || behindTexts.some((text) => text.test(details));
}

/** Creates the error for an endpoint whose node stays behind an earlier read. */
export function nodeBehind(endpoint: string, how: string, cause?: VipError): NodeError {
  return new NodeError(`${endpoint} is behind: ${how}`, {
    code: "NODE_BEHIND",
    metaMessages: [
      `Waited ${patienceMs.behind / 1000} s for it. A node behind this endpoint has stopped or is far behind the others; run again, or use another endpoint.`,
    ],
    ...(cause && { cause, details: cause.details ?? "" }),
  });
}

/** An error without a reason: "Internal error", "internal server error", or nothing. */
const noReason = /^\s*(internal (server |json-rpc )?error|no message)?[\s.!:]*$/i;

/**
 * Reasons that lie with the node or a proxy in front of it, not with the request. A node that has made a block but not stored its
 * results yet "could not find results" (CometBFT 0.38, `state/errors.go`).
 */
const passingReasons =
  /timed? ?out|deadline exceeded|rate.?limit|too many requests|unavailable|overloaded|try again|connection (refused|reset)|could not find results|\beof\b/i;

/** True for a node's error text after which the same request may succeed later. */
export function isPassingText(text: string): boolean {
  return noReason.test(text) || passingReasons.test(text);
}
