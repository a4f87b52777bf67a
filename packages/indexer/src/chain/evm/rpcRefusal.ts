import { NodeError, VipError } from "@vipscore/core";
import { isSlow } from "../unreadable.ts";

/** A node's JSON-RPC error object: it understood the request and refused it. */
export class RpcRefusal extends NodeError {
  override readonly name: string = "RpcRefusal";
  /** JSON-RPC error code; undefined where the node gave none. */
  readonly rpcCode: number | undefined;

  constructor(endpoint: string, method: string, error: { readonly code?: unknown; readonly message?: unknown }) {
    const details = typeof error.message === "string" ? error.message : "no message";
    super(`${endpoint} refused ${method}: ${details.slice(0, 500)}`, { code: "NODE_ERROR", details });
    this.rpcCode = typeof error.code === "number" ? error.code : undefined;
  }
}

/** Stands for the answer to one call that is too slow or too large to be read. */
export class UnreadAnswer extends RpcRefusal {
  override readonly name: string = "UnreadAnswer";
}

/** The node would answer the same request a moment later: a limit of its rate, or of its time. */
const passingTexts = /rate.?limit|too many requests|timed? ?out|try again/i;

/** True for a failure that the same request may not meet a moment later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UnreadAnswer) return false;
  if (error instanceof RpcRefusal) {
    // A call that ran into the node's own bound will do so again: "execution aborted (timeout = 5s)" of geth.
    if (isCallFailure(error)) return false;
    return error.rpcCode === 429 || passingTexts.test(error.details ?? "");
  }
  // An answer that was too slow is asked for in smaller parts instead.
  return VipError.isVipError(error) && error.code === "NODE_UNREACHABLE" && !isSlow(error);
}

/**
 * What nodes say when a contract failed a call, as opposed to a request that they could not serve: code 3 of geth and anvil,
 * "Reverted" of minievm (recorded; it has no code of its own), the texts of go-ethereum's `core/vm/errors.go`, "VM Exception"
 * and "Transaction reverted" of Hardhat, "EVM error" of anvil.
 */
const failureTexts =
  /revert|invalid (opcode|jump|code|memory)|out of gas|stack (under|over|limit)|write protection|vm (exception|execution)|evm error|execution (aborted|failed)|return data out of bounds|gas uint64 overflow/i;

/** True if the node ran a call and the contract failed it. */
export function isCallFailure(error: RpcRefusal): boolean {
  return error.rpcCode === 3 || failureTexts.test(error.details ?? "");
}
