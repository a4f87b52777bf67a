import { jsonAnswer, type ReplicaAnswer } from "./httpForward.ts";

/** A node's JSON-RPC error object. */
export class RpcRefusal extends Error {
  override readonly name: string = "RpcRefusal";
  readonly error: Readonly<Record<string, unknown>>;

  constructor(error: Readonly<Record<string, unknown>>) {
    super(String(error["message"]));
    this.error = error;
  }
}

/** One call of a JSON-RPC method; rejects with RpcRefusal. */
export type RpcCall = (method: string, params: unknown) => Promise<unknown>;

/** Calls the methods of a node. */
export function rpcOf(upstreamUrl: string): RpcCall {
  return async (method, params) => {
    const response = await fetch(upstreamUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: Record<string, unknown> };
    if (error !== undefined) throw new RpcRefusal(error);
    return result;
  };
}

/** Answers the JSON-RPC call or batch in a body. */
export async function answerRpc(body: string, call: RpcCall): Promise<ReplicaAnswer> {
  const received: unknown = JSON.parse(body);
  if (!Array.isArray(received)) return jsonAnswer(await answerOne(received, call));
  const answers: unknown[] = [];
  for (const one of received) answers.push(await answerOne(one, call));
  return jsonAnswer(answers);
}

async function answerOne(received: unknown, call: RpcCall): Promise<unknown> {
  const { id = null, method, params } = received as { id?: unknown; method: string; params?: unknown };
  try {
    return { jsonrpc: "2.0", id, result: await call(method, params) };
  } catch (error) {
    if (error instanceof RpcRefusal) return { jsonrpc: "2.0", id, error: error.error };
    throw error;
  }
}
