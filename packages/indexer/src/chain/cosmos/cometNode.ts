import { NodeError } from "@vipscore/core";
import {
  exchange,
  HttpStatusError,
  isObject,
  parseEndpoint,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
} from "@vipscore/core/http";
import { CometAnswer } from "./cometAnswer.ts";
import { isPassing, RpcRefusal } from "./cosmosErrors.ts";

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
      retryRead(() => attempt(endpoint, { method, parameters, signal }), { isPassing, signal }),
  };
}

interface Request {
  readonly method: string;
  readonly parameters: Parameters;
  readonly signal: AbortSignal;
}

async function attempt(endpoint: HttpEndpoint, { method, parameters, signal }: Request): Promise<CometAnswer> {
  const answer = await exchange(endpoint, {
    url: endpoint.at(""),
    title: method,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: parameters }),
    timeoutMs,
    maxBytes,
    signal,
  });
  return new CometAnswer({ endpoint: endpoint.shown, method }, resultOf(endpoint, method, answer));
}

function resultOf({ shown, hide }: HttpEndpoint, method: string, { status, text, json }: HttpAnswer): unknown {
  const answer = isObject(json) ? json : undefined;
  const error = answer?.["error"];
  // Behind a proxy the error object can come with a status of its own; a limit stays a limit either way.
  if (isObject(error) && status !== 429) {
    const { message, data } = error;
    // CometBFT writes `Internal error` into the message and the reason into the data.
    const parts = [message, data].filter((part) => typeof part === "string" && part !== "");
    throw new RpcRefusal(shown, method, hide(parts.join(": ")) || "no message");
  }
  const excerpt = hide(text.slice(0, 200));
  if (status < 200 || status > 299) throw new HttpStatusError(shown, status, excerpt);
  const result = answer?.["result"];
  if (isObject(result)) return result;
  const kind = /^\s*</.test(text) ? "a web page" : text === "" ? "nothing" : "something else";
  throw new NodeError(`${shown} answered ${method} with ${kind}, not with JSON-RPC; is it the RPC URL of the rollup?`, {
    code: "NODE_BAD_RESPONSE",
    details: excerpt,
  });
}
