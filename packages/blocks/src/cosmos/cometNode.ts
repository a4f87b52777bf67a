import type { NodeError } from "@vipscore/core";
import {
  openJsonRpc,
  parseEndpoint,
  queryChain,
  QueryError,
  retryRead,
  type Answer,
  type ChainQuery,
  type JsonRpc,
} from "@vipscore/core/wire";
import { callForLists, defaultPatienceMs, type ListRead, type NodePatience } from "../callForLists.ts";
import { PrunedState } from "../readErrors.ts";

/** Timeout of one attempt, in milliseconds: a node serves the events of a large block in a second or two. */
const timeoutMs = 30_000;

/** Largest answer that is read as a whole: a block's transactions, or a contract's answer. */
const maxBytes = 134_217_728;

/** The RPC interface of a CometBFT node. 64-bit parameters are strings. */
export interface CometNode extends JsonRpc {
  /** `read` for an answer with long lists, which are read element by element. */
  readonly readLists: <E, T>(method: string, params: unknown, how: ListRead<E, T>, signal: AbortSignal) => Promise<T>;
}

/** @throws InputError `CONFIG_INVALID` if the text is not an http or https URL. */
export function openCometNode(rpcNodeUrl: string, { patienceMs = defaultPatienceMs }: NodePatience = {}): CometNode {
  const comet = openJsonRpc(rpcNodeUrl, { patienceMs, timeoutMs, maxBytes });
  const endpoint = parseEndpoint(rpcNodeUrl, "RPC URL");
  return {
    ...comet,
    readLists: (method, params, how, signal) =>
      retryRead(() => callForLists(endpoint, { method, params, timeoutMs, signal }, how), {
        endpoint: endpoint.shown,
        signal,
        patienceMs,
        pace: endpoint.memory.pace,
      }),
  };
}

/** The status that a node reports about itself. */
export interface NodeStatus {
  readonly chainId: string;
  /** The oldest block that it has. */
  readonly earliest: number;
  /** The newest block that it has. */
  readonly latest: number;
}

/** @throws NodeError. */
export function readStatus(node: CometNode, signal: AbortSignal): Promise<NodeStatus> {
  const read = (answer: Answer): NodeStatus => {
    const sync = answer.field("sync_info");
    return {
      chainId: answer.field("node_info").field("network").text(),
      earliest: sync.field("earliest_block_height").count(),
      latest: sync.field("latest_block_height").count(),
    };
  };
  return node.read("status", {}, read, signal);
}

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
