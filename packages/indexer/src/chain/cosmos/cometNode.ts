import { callJsonRpc, parseEndpoint, retryRead, type HttpEndpoint, type JsonRpcRefusal } from "@vipscore/core/http";
import { CometAnswer } from "./cometAnswer.ts";
import { isPassing, RpcRefusal } from "./cosmosErrors.ts";

/** How long one read is repeated, in milliseconds: the follower has a patience of its own, and reports what it waits for. */
const patienceMs = 3_000;

/** How long one attempt may take, in milliseconds: a node serves the events of a large block in a second or two. */
const timeoutMs = 30_000;

/** Largest answer that is read: the events of a block that is full of mints have some tens of MB. */
const maxBytes = 134_217_728;

/** The parameters of a CometBFT method; numbers of 64 bits are texts. */
type Parameters = Readonly<Record<string, string | boolean>>;

/** The RPC interface of a node with CometBFT. */
export interface CometNode {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Reads; repeated a few times with growing pauses when the endpoint or the network fails.
   *
   * @throws RpcRefusal when the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` when it does not answer
   * or answers something else; the signal's reason when aborted.
   */
  readonly ask: (method: string, parameters: Parameters, signal: AbortSignal) => Promise<CometAnswer>;
}

/** @throws InputError `CONFIG_INVALID` when the text is not an http or https URL. */
export function openCometNode(rpcNodeUrl: string): CometNode {
  const endpoint = parseEndpoint(rpcNodeUrl, "RPC URL");
  return {
    endpoint: endpoint.shown,
    ask: (method, parameters, signal) =>
      retryRead(() => attempt(endpoint, { method, parameters, signal }), {
        endpoint: endpoint.shown,
        isPassing,
        signal,
        patienceMs,
      }),
  };
}

interface Request {
  readonly method: string;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
}

async function attempt(endpoint: HttpEndpoint, { method, parameters, signal }: Request): Promise<CometAnswer> {
  const refuse = ({ message, data }: JsonRpcRefusal): RpcRefusal => {
    // CometBFT writes `Internal error` into the message and the reason into the data.
    const parts = [message, data].filter((part) => typeof part === "string" && part !== "");
    return new RpcRefusal(endpoint.shown, method, parts.join(": ") || "no message");
  };
  const result = await callJsonRpc(endpoint, { method, params: parameters, timeoutMs, maxBytes, signal, refuse });
  return new CometAnswer({ endpoint: endpoint.shown, method }, result);
}
