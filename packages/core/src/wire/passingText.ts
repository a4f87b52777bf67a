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
