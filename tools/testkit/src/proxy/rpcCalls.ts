import { startProxy, type Proxy, type ProxyAnswer } from "./startProxy.ts";

/** One JSON-RPC call of a request. */
export interface RpcCall<Params = unknown> {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
}

/** The calls of a request, and the body of their answers in the same order. */
export interface SplitCalls<Params> {
  readonly calls: readonly RpcCall<Params>[];
  readonly join: (answers: readonly string[]) => string;
}

/** Splits the body of a JSON-RPC request: one call, or a batch. */
export function splitCalls<Params>(body: string): SplitCalls<Params> {
  const received = JSON.parse(body) as RpcCall<Params> | readonly RpcCall<Params>[];
  if (Array.isArray(received)) return { calls: received, join: (answers) => `[${answers.join(",")}]` };
  return { calls: [received as RpcCall<Params>], join: ([answer = ""]) => answer };
}

/** A node's JSON-RPC error object. */
export class RpcRefusal extends Error {
  override readonly name: string = "RpcRefusal";
  readonly error: Readonly<Record<string, unknown>>;

  constructor(error: Readonly<Record<string, unknown>>) {
    super(String(error["message"]));
    this.error = error;
  }
}

/** Calls a JSON-RPC method of a node; rejects with RpcRefusal. */
export type CallMethod = (method: string, params: unknown) => Promise<unknown>;

/** Calls the methods of a node. */
export function rpcOf(upstreamUrl: string): CallMethod {
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

/** Answers the JSON-RPC call or batch in a body, call by call. */
export async function answerRpc(body: string, call: CallMethod): Promise<ProxyAnswer> {
  const { calls, join } = splitCalls(body);
  const answers: string[] = [];
  for (const { id = null, method, params } of calls) {
    const answer = await call(method, params).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof RpcRefusal) return { error: error.error };
        throw error;
      },
    );
    answers.push(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }
  return { status: 200, headers: { "content-type": "application/json" }, body: join(answers) };
}

/** Serves a node that makes up its answers, so that it may have any number of blocks. Unlike `script`, keeps no request. */
export function servePlayed(node: { readonly answer: (body: string) => string }): Promise<Proxy> {
  const headers = { "content-type": "application/json" };
  return startProxy(({ body }) => ({ status: 200, headers, body: node.answer(body) }));
}
