import { JsonRpcFailure } from "@vipscore/localnet";
import type { LateState } from "./lateState.ts";

/**
 * Returns the height, as a JSON-RPC quantity, of the state that minievm reads for a block parameter: a tag and the newest
 * block's number both mean the newest committed state (v1.2.18, `CreateQueryContext` of its JSON-RPC backend).
 *
 * @throws JsonRpcFailure -32000 for a height that does not exist yet.
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
