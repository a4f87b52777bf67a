import { RpcError } from "@vipscore/core/wire";

/** A node's texts for an unknown method; the code is -32601. */
const missingTexts = /method.*(not found|not exist|not supported|not available|unavailable)|unsupported method/i;

/** True if a node does not have the called method. */
export function isMissingMethod(error: unknown): boolean {
  return error instanceof RpcError && (error.rpcCode === -32601 || missingTexts.test(error.details ?? ""));
}
