import { NodeError } from "@vipscore/core";
import { retryRead } from "@vipscore/core/http";
import type { CometNode } from "./cometNode.ts";
import { isPassing, isPrunedState, QueryRefusal } from "./cosmosErrors.ts";

/** A query of the chain's protobuf interface. */
export interface StateQuery<T> {
  /** E.g. `/cosmwasm.wasm.v1.Query/ContractInfo`. */
  readonly path: string;
  readonly request: Uint8Array;
  /** Reads the answer; throws where it is none. */
  readonly decode: (answer: Uint8Array) => T;
}

/**
 * Asks the chain as it was after a block; as it is now where the node has forgotten that.
 *
 * @throws QueryRefusal when the chain, or the contract that it asked, refuses; NodeError.
 */
export async function queryState<T>(
  node: CometNode,
  query: StateQuery<T>,
  height: number,
  signal: AbortSignal,
): Promise<T> {
  const ask = (at: number) =>
    retryRead(() => queryOnce(node, query, at, signal), {
      endpoint: node.endpoint,
      isPassing: isPassingRefusal,
      signal,
    });
  try {
    return await ask(height);
  } catch (error) {
    if (!isPrunedState(error)) throw error;
    return ask(0);
  }
}

/** What the node does not answer at all was asked several times already. */
function isPassingRefusal(error: unknown): boolean {
  return error instanceof QueryRefusal && isPassing(error);
}

async function queryOnce<T>(
  node: CometNode,
  { path, request, decode }: StateQuery<T>,
  height: number,
  signal: AbortSignal,
): Promise<T> {
  const data = Buffer.from(request).toString("hex");
  const answer = await node.ask("abci_query", { path, data, height: String(height), prove: false }, signal);
  const response = answer.at("response");
  if (response.at("code").count() !== 0) {
    const log = response.at("log").text();
    throw new QueryRefusal(node.endpoint, path, log === "" ? "no message" : log);
  }
  const value = response.at("value").bytes();
  try {
    return decode(value);
  } catch (cause) {
    throw new NodeError(`${node.endpoint} answered ${path} with something unreadable`, {
      code: "NODE_BAD_RESPONSE",
      details: value.toString("base64").slice(0, 200),
      cause,
    });
  }
}
