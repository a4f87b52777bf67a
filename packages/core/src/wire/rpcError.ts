import { NodeError } from "../errors/nodeError.ts";
import { isPassingText } from "./nodeBehind.ts";

/** A node's JSON-RPC error object, as sent, with the endpoint's secrets removed from its texts. */
export interface RpcErrorAnswer {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** Errors of a request that no server has processed: parse error, invalid request, no such method, invalid params. */
const requestFaults: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602]);

/** Errors that lie with the server: internal error, limit exceeded (EIP-1474), and an HTTP status that some providers use. */
const serverFaults: ReadonlySet<unknown> = new Set([-32603, -32005, 429]);

/**
 * Texts of nodes if a contract failed a call, as opposed to a request that they could not serve: "Reverted" of minievm
 * (recorded; without its own code), the texts of go-ethereum's `core/vm/errors.go`, "VM Exception" and "Transaction
 * reverted" of Hardhat, "EVM error" of anvil.
 */
const failureTexts =
  /revert|invalid (opcode|jump|code|memory)|out of gas|stack (under|over|limit)|write protection|vm (exception|execution)|evm error|execution (aborted|failed)|return data out of bounds|gas uint64 overflow/i;

/** A node's JSON-RPC error: it understood the request and refused it. */
export class RpcError extends NodeError {
  static override readonly className: string = "RpcError";

  override readonly name: string = "RpcError";
  /** The error's code; undefined if the node sent none. */
  readonly rpcCode: number | undefined;
  /** The `data` of the node's error, such as the data of a revert. */
  readonly data: unknown;

  constructor(endpoint: string, method: string, { code, message, data }: RpcErrorAnswer) {
    const reason = reasonOf(data);
    const details = [message, reason].filter((part) => typeof part === "string" && part !== "").join(": ");
    super(`${endpoint} refused ${method}: ${(details || "no message").slice(0, 500)}`, {
      code: "NODE_ERROR",
      details: details || "no message",
      mayPass: mayPass({ code, details, hasReason: reason !== undefined }),
      // A call that failed in the contract will fail again; Hardhat answers -32603 for it too.
      isOfContract: isFailure(code, details),
    });
    this.rpcCode = typeof code === "number" ? code : undefined;
    this.data = data;
  }
}

/** CometBFT writes "Internal error" into the message and the reason into the data; the data of an EVM node is hex. */
function reasonOf(data: unknown): string | undefined {
  return typeof data === "string" && data !== "" && !data.startsWith("0x") ? data : undefined;
}

function mayPass(error: { readonly code: unknown; readonly details: string; readonly hasReason: boolean }): boolean {
  const { code, details, hasReason } = error;
  // CometBFT answers -32603 to everything that it refuses: its reason counts.
  const isServerFault = !hasReason && (serverFaults.has(code) || /limit exceeded/i.test(details));
  return isServerFault || isPassingText(details);
}

function isFailure(code: unknown, details: string): boolean {
  return code === 3 || failureTexts.test(details);
}

/** True if an EVM node ran a call that failed in the contract, as opposed to a request that the node could not serve. */
export function isCallFailure(error: unknown): error is RpcError {
  return error instanceof RpcError && error.isOfContract;
}

/** True for an error that means that the node did not process the request. */
export function isRequestFault(error: unknown): boolean {
  return error instanceof RpcError && requestFaults.has(error.rpcCode);
}
