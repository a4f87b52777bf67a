import { NodeError, VipError } from "@vipscore/core";

/** A node's JSON-RPC error: it understood the request and refused it. */
export class RpcRefusal extends NodeError {
  override readonly name: string = "RpcRefusal";

  constructor(endpoint: string, method: string, details: string) {
    super(`${endpoint} refused ${method}: ${details.slice(0, 500)}`, { code: "NODE_ERROR", details });
  }
}

/** A query that the chain itself, or the contract that it asked, answered with an error. */
export class QueryRefusal extends NodeError {
  override readonly name: string = "QueryRefusal";

  constructor(endpoint: string, path: string, log: string) {
    super(`${endpoint} refused ${path}: ${log.slice(0, 500)}`, { code: "NODE_ERROR", details: log });
  }
}

/**
 * True for a failure that the same request may not meet a moment later: an overload, an endpoint that does not answer, a
 * node that has made a block but not yet stored its results (CometBFT 0.38, `state/errors.go`). A node that is behind is
 * waited for by every read.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcRefusal || error instanceof QueryRefusal) {
    return /could not find results|timed? ?out|rate limit|too many requests/i.test(error.details ?? "");
  }
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}

/** True where the node has forgotten the state of the height that was asked for (Cosmos SDK 0.50, `baseapp/abci.go`). */
export function isPrunedState(error: unknown): boolean {
  return error instanceof QueryRefusal && /failed to load state at height/i.test(error.details ?? "");
}
