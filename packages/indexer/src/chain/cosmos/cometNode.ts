import { openJsonRpc, parseEndpoint, retryRead, type JsonRpc } from "@vipscore/core/wire";
import { callForLists, type ListRead } from "../callForLists.ts";

/** How long one read is repeated, in milliseconds: the follower has a patience of its own, and reports what it waits for. */
const patienceMs = 3_000;

/** How long one attempt may take, in milliseconds: a node serves the events of a large block in a second or two. */
const timeoutMs = 30_000;

/** Largest answer that is read as a whole: a block's transactions, or what a contract says. */
const maxBytes = 134_217_728;

/** The RPC interface of a node with CometBFT. Parameters of 64 bits are texts. */
export interface CometNode extends JsonRpc {
  /** `read` for an answer with long lists, which are read element by element. */
  readonly readLists: <E, T>(method: string, params: unknown, how: ListRead<E, T>, signal: AbortSignal) => Promise<T>;
}

/** @throws InputError `CONFIG_INVALID` when the text is not an http or https URL. */
export function openCometNode(rpcNodeUrl: string): CometNode {
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
