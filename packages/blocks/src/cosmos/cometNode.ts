import { openJsonRpc, parseEndpoint, retryRead, type Answer, type JsonRpc } from "@vipscore/core/wire";
import { callForLists, type ListRead } from "../callForLists.ts";
import { defaultPatienceMs, type NodePatience } from "../nodePatience.ts";

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
