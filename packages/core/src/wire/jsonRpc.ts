import { patienceMs as defaults, sendTimeoutMs } from "../time/patience.ts";
import type { ReadAnswer } from "./answer.ts";
import { callJsonRpc } from "./callJsonRpc.ts";
import { parseEndpoint } from "./endpoint.ts";
import { retryRead, type RetryReadOptions } from "./retryRead.ts";

/** Largest answer to read, in bytes. The receipt of a batch of 2,700 scores with an event each has some 2 MB on CometBFT. */
const defaultMaxBytes = 67_108_864;

/** The JSON-RPC interface of a node: an EVM node's, or CometBFT's. */
export interface JsonRpc {
  /** The URL that requests go to, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * Calls a method that changes nothing; retried as in {@link retryRead}.
   *
   * @param params - A list or an object, as the method takes them.
   * @param read - Reads the result.
   * @throws RpcError if the node refuses; NodeError `NODE_UNREACHABLE` or `NODE_BAD_RESPONSE` if it does not answer or
   * answers something else; the signal's reason when aborted.
   */
  read<T>(method: string, params: unknown, read: ReadAnswer<T>, signal?: AbortSignal): Promise<T>;
  /** Sends once, for a transaction whose outcome is unknown if no answer comes within a third of the patience. */
  send<T>(method: string, params: unknown, read: ReadAnswer<T>, signal?: AbortSignal): Promise<T>;
}

/** Options of a JSON-RPC connection. */
export interface OpenJsonRpcOptions {
  /** Name of the URL, for messages. Default: `RPC URL`. */
  readonly title?: string;
  /** Maximum wait for failures that may pass, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined;
  /** Time limit of each attempt of a read, in milliseconds. Default: a share of the patience, see {@link retryRead}. */
  readonly timeoutMs?: number | undefined;
  /** Largest answer to read, in bytes. Default: 67,108,864. */
  readonly maxBytes?: number | undefined;
  /** See {@link RetryReadOptions}; for all reads. */
  readonly isFinal?: RetryReadOptions["isFinal"];
}

/**
 * Connects to a JSON-RPC endpoint.
 *
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL.
 */
export function openJsonRpc(rpcUrl: string, options: OpenJsonRpcOptions = {}): JsonRpc {
  const { title = "RPC URL", patienceMs = defaults.outage, maxBytes = defaultMaxBytes, isFinal } = options;
  const endpoint = parseEndpoint(rpcUrl, title);
  return {
    endpoint: endpoint.shown,
    read: (method, params, read, signal) =>
      retryRead(
        (shareMs) => {
          const { timeoutMs = shareMs } = options;
          return callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal }, read);
        },
        { endpoint: endpoint.shown, signal, isFinal, patienceMs },
      ),
    send: (method, params, read, signal) =>
      callJsonRpc(endpoint, { method, params, timeoutMs: sendTimeoutMs(patienceMs), maxBytes, signal }, read),
  };
}
