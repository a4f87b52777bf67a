import { callJsonRpc, parseEndpoint, retryRead, type HttpEndpoint, type JsonRpcRefusal } from "@vipscore/core/http";
import { callForLists } from "../callForLists.ts";
import type { ListChoice } from "../jsonLists.ts";
import { CometAnswer } from "./cometAnswer.ts";
import { isPassing, RpcRefusal } from "./cosmosErrors.ts";

/** How long one read is repeated, in milliseconds: the follower has a patience of its own, and reports what it waits for. */
const patienceMs = 3_000;

/** How long one attempt may take, in milliseconds: a node serves the events of a large block in a second or two. */
const timeoutMs = 30_000;

/** Largest answer that is read as a whole: a block's transactions, or what a contract says. */
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
  /** The same for an answer with long lists, which are read element by element and stand apart. */
  readonly askLists: <T>(
    method: string,
    parameters: Parameters,
    choice: ListChoice<T>,
    signal: AbortSignal,
  ) => Promise<{ readonly answer: CometAnswer; readonly lists: readonly (readonly T[])[] }>;
}

/** @throws InputError `CONFIG_INVALID` when the text is not an http or https URL. */
export function openCometNode(rpcNodeUrl: string): CometNode {
  const endpoint = parseEndpoint(rpcNodeUrl, "RPC URL");
  const retry = { endpoint: endpoint.shown, isPassing, patienceMs };
  return {
    endpoint: endpoint.shown,
    ask: (method, parameters, signal) =>
      retryRead(() => attempt(endpoint, { method, parameters, signal }), { ...retry, signal }),
    askLists: async (method, parameters, choice, signal) => {
      const call = { method, params: parameters, timeoutMs, signal, refuse: refuseFor(endpoint, method), choice };
      const { rest, lists } = await retryRead(() => callForLists(endpoint, call), { ...retry, signal });
      return { answer: new CometAnswer({ endpoint: endpoint.shown, method }, rest), lists };
    },
  };
}

function refuseFor(endpoint: HttpEndpoint, method: string): (refusal: JsonRpcRefusal) => RpcRefusal {
  return ({ message, data }) => {
    // CometBFT writes `Internal error` into the message and the reason into the data.
    const parts = [message, data].filter((part) => typeof part === "string" && part !== "");
    return new RpcRefusal(endpoint.shown, method, parts.join(": ") || "no message");
  };
}

interface Request {
  readonly method: string;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
}

async function attempt(endpoint: HttpEndpoint, { method, parameters, signal }: Request): Promise<CometAnswer> {
  const refuse = refuseFor(endpoint, method);
  const result = await callJsonRpc(endpoint, { method, params: parameters, timeoutMs, maxBytes, signal, refuse });
  return new CometAnswer({ endpoint: endpoint.shown, method }, result);
}
