import { NodeError } from "@vipscore/core";
import { RpcError } from "@vipscore/core/wire";

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

/** A range of several blocks has more in it than its reader may hold in memory. */
export class RangeTooLargeError extends Error {
  override readonly name: string = "RangeTooLargeError";
  /** Number of blocks from its start to read instead, at least 1. */
  readonly blocks: number;

  constructor(blocks: number) {
    super(`the range is too full; read ${blocks} blocks of it`);
    this.blocks = blocks;
  }
}

/** A node does not have the state after a block anymore. */
export class PrunedState extends NodeError {
  static override readonly className: string = "PrunedState";

  override readonly name: string = "PrunedState";

  constructor(endpoint: string, height: number, cause: NodeError) {
    super(`${endpoint} does not have the state after block ${height} anymore; use a node that keeps all states`, {
      code: "NODE_ERROR",
      ...(cause.details === undefined ? {} : { details: cause.details }),
      cause,
    });
  }
}

/** True for a failure after which the same request may succeed. A slow answer is not one: a smaller request may be quicker. */
export function isTransient(error: NodeError): boolean {
  return error.isTransient && !isSlow(error);
}

/** True for a refusal by a node that names no rate: it may mean that the request asks for too much. */
export function mayBeOfSize(error: NodeError): error is RpcError {
  return error instanceof RpcError && !/rate.?limit|too many requests|per second/i.test(error.details ?? "");
}

/** A node's texts for an unknown method; the code is -32601. */
const missingTexts = /method.*(not found|not exist|not supported|not available|unavailable)|unsupported method/i;

export function isMissingMethod(error: unknown): boolean {
  return error instanceof RpcError && (error.rpcCode === -32601 || missingTexts.test(error.details ?? ""));
}
