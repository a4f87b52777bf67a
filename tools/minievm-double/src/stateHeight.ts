import { JsonRpcFailure } from "@vipscore/localnet";
import type { LateState } from "./lateState.ts";

/**
 * The height, as a JSON-RPC quantity, whose state minievm reads for a block parameter: a tag or the newest block's own
 * number mean the newest state that is committed (v1.2.18, `CreateQueryContext` of its JSON-RPC backend).
 *
 * @throws JsonRpcFailure -32000 for a height that is not there yet.
 */
export function stateHeight(state: LateState, block: unknown): string {
  if (typeof block !== "string" || !block.startsWith("0x")) {
    return block === "earliest" ? block : quantity(state.committed);
  }
  const height = BigInt(block);
  if (height > state.head) {
    throw new JsonRpcFailure(-32000, "requested height is greater than the latest block height");
  }
  return quantity(height < state.committed ? height : state.committed);
}

function quantity(height: bigint): string {
  return `0x${height.toString(16)}`;
}
