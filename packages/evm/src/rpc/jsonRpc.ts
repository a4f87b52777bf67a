import { NodeError, VipError } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import { isHex, type Hex } from "viem";

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

/** Answers that a moment later can be different. */
const passingTexts = /rate limit|too many requests|limit exceeded|timed? ?out/i;

/** True for a failure that the same request may not meet a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcError) {
    return error.rpcCode === -32005 || error.rpcCode === 429 || passingTexts.test(error.details ?? "");
  }
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}
