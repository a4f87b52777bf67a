import type { NodeError } from "@vipscore/core";
import { queryChain, QueryError, type ChainQuery } from "@vipscore/core/wire";
import { PrunedState } from "../readErrors.ts";
import type { CometNode } from "./cometNode.ts";

/**
 * Queries the chain's state after a block, or its newest state if the node has pruned that.
 *
 * @throws QueryError if the chain or the queried contract refuses; NodeError.
 */
export async function queryState<T>(
  node: CometNode,
  query: ChainQuery<T>,
  height: number,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await queryStateAt(node, query, height, signal);
  } catch (error) {
    if (!(error instanceof PrunedState)) throw error;
    return queryChain(node, query, { signal });
  }
}

/**
 * Queries the chain's state after a block, and never another.
 *
 * @throws PrunedState if the node does not have it anymore; QueryError if the chain or the queried contract refuses; NodeError.
 */
export async function queryStateAt<T>(
  node: CometNode,
  query: ChainQuery<T>,
  height: number,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await queryChain(node, query, { height: BigInt(height), signal });
  } catch (error) {
    throw isPrunedState(error) ? new PrunedState(node.endpoint, height, error) : error;
  }
}

/** True if the node has pruned the state of the requested height (Cosmos SDK 0.50, `baseapp/abci.go`). */
function isPrunedState(error: unknown): error is NodeError {
  return error instanceof QueryError && /failed to load state at height/i.test(error.details ?? "");
}
