import { NodeError, VipError } from "@vipscore/core";
import { isObject, isPassingText } from "@vipscore/core/http";
import { isHex, type Hex } from "viem";

/** How one request is made. */
export interface JsonRpcOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * `read`: repeated with growing pauses while the endpoint or the network fails, as `retryRead` of core does.
   * `once`: never repeated, for a transaction whose fate is unknown when no answer comes within ten seconds.
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
  return error.rpcCode === 3 || /revert|invalid opcode|out of gas|vm exception|evm error/i.test(error.details ?? "");
}

/** JSON-RPC errors that lie with the server: internal error, limit exceeded (EIP-1474), and a status as some providers use it. */
const serverFaults: ReadonlySet<number | undefined> = new Set([-32603, -32005, 429]);

/** True for a failure that the same request may not meet a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RpcError) {
    const { rpcCode, details = "" } = error;
    // A call that the contract failed will fail again; Hardhat answers -32603 for it too.
    if (isCallFailure(error)) return false;
    return serverFaults.has(rpcCode) || isPassingText(details) || /limit exceeded/i.test(details);
  }
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE";
}
