import { Comet38Client, type RpcClient } from "@cosmjs/tendermint-rpc";
import { NodeError, VipError } from "@vipscore/core";
import {
  callJsonRpc,
  parseEndpoint,
  patienceMs,
  retryRead,
  sendTimeoutMs,
  type HttpEndpoint,
  type JsonRpcRefusal,
} from "@vipscore/core/http";
import { isPassing, RpcError } from "./cometErrors.ts";

/** Largest answer that is read. The receipt of a batch of 2,700 scores with an event each has some 2 MB. */
const maxBytes = 67_108_864;

type JsonRpcRequest = Parameters<RpcClient["execute"]>[0];

/** What asks a node with cosmjs's client. */
type Ask<T> = (comet: Comet38Client) => Promise<T>;

/** The RPC interface of a node with CometBFT, asked by cosmjs's client over this project's own bounded requests. */
export interface CometRpc {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Reads; repeated with growing pauses while the endpoint or the network fails, as `retryRead` of core does.
   *
   * @throws RpcError when the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` when it does not answer
   * or answers something else; the signal's reason when aborted.
   */
  read<T>(title: string, ask: Ask<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Sends once, for a transaction whose fate is unknown when no answer comes within ten seconds. */
  send<T>(title: string, ask: Ask<T>, signal: AbortSignal | undefined): Promise<T>;
}

/** How one attempt is made. */
interface AttemptOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * @param forMs - How long failures that may pass are waited for, in milliseconds.
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openComet(rpcUrl: string, forMs: number = patienceMs.outage): CometRpc {
  const endpoint = parseEndpoint(rpcUrl, "RPC URL");
  const attempt = async <T>(title: string, ask: Ask<T>, options: AttemptOptions): Promise<T> => {
    const client: RpcClient = { execute: (request) => execute(endpoint, request, options), disconnect: () => {} };
    try {
      return await ask(Comet38Client.create(client));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (VipError.isVipError(error)) throw error;
      // What cosmjs throws when an answer does not have the form of its method.
      throw new NodeError(`${endpoint.shown} answered ${title} with something unreadable`, {
        code: "NODE_BAD_RESPONSE",
        details: error instanceof Error ? endpoint.hide(error.message).slice(0, 200) : "",
        cause: error,
      });
    }
  };
  return {
    endpoint: endpoint.shown,
    read: (title, ask, signal) =>
      retryRead((timeoutMs) => attempt(title, ask, { timeoutMs, signal }), {
        endpoint: endpoint.shown,
        isPassing,
        signal,
        patienceMs: forMs,
      }),
    send: (title, ask, signal) => attempt(title, ask, { timeoutMs: sendTimeoutMs(forMs), signal }),
  };
}

async function execute(
  endpoint: HttpEndpoint,
  { id, method, params }: JsonRpcRequest,
  { timeoutMs, signal }: AttemptOptions,
): ReturnType<RpcClient["execute"]> {
  const refuse = ({ code, message, data }: JsonRpcRefusal): RpcError => {
    // CometBFT writes `Internal error` into the message and the reason into the data.
    const parts = [message, data].filter((part) => typeof part === "string" && part !== "");
    return new RpcError(endpoint.shown, method, { code, details: parts.join(": ") || "no message" });
  };
  return {
    jsonrpc: "2.0",
    id,
    result: await callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal, refuse }),
  };
}
