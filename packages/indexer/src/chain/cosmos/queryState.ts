import { queryChain, QueryError, type ChainQuery } from "@vipscore/core/wire";
import type { CometNode } from "./cometNode.ts";

/**
 * Asks the chain as it was after a block; as it is now where the node has forgotten that.
 *
 * @throws QueryError when the chain, or the contract that it asked, refuses; NodeError.
 */
export async function queryState<T>(
  node: CometNode,
  query: ChainQuery<T>,
  height: number,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await queryChain(node, query, { height: BigInt(height), signal });
  } catch (error) {
    if (!isPrunedState(error)) throw error;
    return queryChain(node, query, { signal });
  }
}

/** True where the node has forgotten the state of the height that was asked for (Cosmos SDK 0.50, `baseapp/abci.go`). */
function isPrunedState(error: unknown): boolean {
  return error instanceof QueryError && /failed to load state at height/i.test(error.details ?? "");
}
