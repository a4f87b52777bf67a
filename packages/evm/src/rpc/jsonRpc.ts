import { NodeError } from "@vipscore/core";
import { isHex, type Hex } from "viem";
import { isObject } from "./isObject.ts";

/** How one request is made. */
export interface JsonRpcOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * `read`: repeated a few times with growing pauses when the endpoint or the network fails.
   * `once`: never repeated, for a transaction whose fate is unknown when no answer comes.
   */
  readonly attempts: "read" | "once";
}

/** The one thing that the adapter needs of a node. */
export interface JsonRpc {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * The `result` of one JSON-RPC request.
   *
   * @throws RpcError when the node answers with an error object; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE`
   * when it does not answer or answers something else; the signal's reason when aborted.
   */
  request(method: string, params: readonly unknown[], options: JsonRpcOptions): Promise<unknown>;
}

/** A node's error object: it understood the request and refused it. */
export class RpcError extends NodeError {
  override readonly name: string = "RpcError";
  /** JSON-RPC error code, or undefined where the node gave none. */
  readonly rpcCode: number | undefined;
  /** Revert data as hex, where the node gives it. */
  readonly data: Hex | undefined;

  constructor(endpoint: string, method: string, error: { code?: unknown; message?: unknown; data?: unknown }) {
    const details = typeof error.message === "string" ? error.message : "no message";
    super(`${endpoint} refused ${method}: ${details.slice(0, 500)}`, { code: "NODE_ERROR", details });
    this.rpcCode = typeof error.code === "number" ? error.code : undefined;
    this.data = revertData(error.data);
  }
}

/** An HTTP status other than success, without a JSON-RPC answer in the body. */
export class HttpStatusError extends NodeError {
  override readonly name: string = "HttpStatusError";
  readonly status: number;

  constructor(endpoint: string, status: number, details: string) {
    const unavailable = status === 408 || status === 429 || status >= 500;
    const denied = status === 401 || status === 403;
    const hint = denied ? "; check the credentials in the URL" : "";
    super(`${endpoint} answered HTTP status ${status}${hint}`, {
      code: unavailable ? "NODE_UNREACHABLE" : denied ? "NODE_ERROR" : "NODE_BAD_RESPONSE",
      details,
    });
    this.status = status;
  }
}

/** Nodes put revert data into `data` itself (geth, anvil) or one or two levels below (Hardhat, wallets). */
function revertData(data: unknown, depth = 0): Hex | undefined {
  if (isHex(data)) return data;
  return isObject(data) && depth < 2 ? revertData(data["data"], depth + 1) : undefined;
}

/** True if the node ran a call and the contract failed it, as opposed to a request that the node could not serve. */
export function isCallFailure(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  return error.rpcCode === 3 || /revert|invalid opcode|out of gas|vm exception/i.test(error.details ?? "");
}
