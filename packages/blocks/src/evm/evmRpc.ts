import type { NodeError } from "@vipscore/core";
import { callJsonRpc, parseEndpoint, retryRead, type JsonRpc } from "@vipscore/core/wire";
import { callForLists, defaultPatienceMs, type ListRead, type NodePatience } from "../callForLists.ts";
import { isTransient, mayBeOfSize } from "../readErrors.ts";
import { batchReader, maxBytes, timeoutMs, type BatchReader, type RpcCall } from "./batchReader.ts";

/** Maximum wait for the start of the answer about a full block, and between its chunks, in milliseconds. */
const blockTimeoutMs = 60_000;

/** The JSON-RPC of an EVM node. Reads are retried after failures that may pass, such as no answer or a rate limit. */
export interface EvmRpc extends Pick<JsonRpc, "endpoint" | "read"> {
  /** Reads the results of many calls. */
  readonly readAll: BatchReader;
  /** `read` for an answer with long lists, which are read element by element. */
  readonly readLists: <E, T>(call: RpcCall, how: ListRead<E, T>, signal: AbortSignal) => Promise<T>;
}

/**
 * Connects to the JSON-RPC of an EVM node.
 *
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL.
 */
export function openEvmRpc(jsonRpcUrl: string, { patienceMs = defaultPatienceMs }: NodePatience = {}): EvmRpc {
  const isFinal = (error: NodeError): boolean => !isTransient(error);
  const endpoint = parseEndpoint(jsonRpcUrl, "JSON-RPC URL");
  const retry = { endpoint: endpoint.shown, isFinal, patienceMs, pace: endpoint.memory.pace };
  const readOne: EvmRpc["read"] = (method, params, read, signal) =>
    retryRead(() => callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal }, read), { ...retry, signal });
  const readLists: EvmRpc["readLists"] = (call, how, signal) =>
    retryRead(() => callForLists(endpoint, { ...call, timeoutMs: blockTimeoutMs, signal }, how), {
      ...retry,
      isFinal: (error) => isFinal(error) || (call.tries !== undefined && mayBeOfSize(error)),
      signal,
    });
  return { endpoint: endpoint.shown, read: readOne, readAll: batchReader(endpoint, retry), readLists };
}
