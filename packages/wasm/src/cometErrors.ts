import { NodeError, VipError } from "@vipscore/core";

/** A node's JSON-RPC error: it understood the request and refused it. */
export class RpcError extends NodeError {
  override readonly name: string = "RpcError";

  constructor(endpoint: string, method: string, details: string) {
    super(`${endpoint} refused ${method}: ${details.slice(0, 500)}`, { code: "NODE_ERROR", details });
  }
}

/** A query that the chain itself answered with an error. */
export class QueryError extends NodeError {
  override readonly name: string = "QueryError";
  /** The error's number in its codespace. */
  readonly abciCode: number;
  readonly codespace: string;

  constructor(endpoint: string, path: string, answer: { abciCode: number; codespace: string; log: string }) {
    super(`${endpoint} refused ${path}: ${answer.log.slice(0, 500)}`, { code: "NODE_ERROR", details: answer.log });
    this.abciCode = answer.abciCode;
    this.codespace = answer.codespace;
  }
}

/** True if the chain does not have the query at all (Cosmos SDK 0.50, `baseapp/abci.go`). */
export function isMissingQuery(error: unknown): error is QueryError {
  return error instanceof QueryError && /unknown query path/i.test(error.details ?? "");
}

/** True for a failure that the same request may not meet a moment later: an overload. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcError || error instanceof QueryError) {
    return /timed? ?out|rate limit|too many requests/i.test(error.details ?? "");
  }
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}
