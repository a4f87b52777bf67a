import { NodeError, VipError } from "@vipscore/core";
import { isPassingText } from "@vipscore/core/http";

/** JSON-RPC errors of a request that no server has worked on: parse error, invalid request, no such method, invalid params. */
const requestFaults: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);

/** A node's JSON-RPC error: it understood the request and refused it. */
export class RpcError extends NodeError {
  override readonly name: string = "RpcError";
  /** The JSON-RPC error code, as the node gave it. */
  readonly rpcCode: unknown;

  constructor(endpoint: string, method: string, answer: { readonly code: unknown; readonly details: string }) {
    const { code, details } = answer;
    super(`${endpoint} refused ${method}: ${details.slice(0, 500)}`, { code: "NODE_ERROR", details });
    this.rpcCode = code;
  }
}

/** True for an error that says that the node has not worked on the request at all. */
export function isRequestFault(error: unknown): boolean {
  return error instanceof RpcError && requestFaults.has(error.rpcCode);
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

/** True for a failure that the same request may not meet a moment later: an overload, an error without a reason. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcError || error instanceof QueryError) return isPassingText(error.details ?? "");
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}
