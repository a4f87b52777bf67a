import { script, type ScriptedAnswer, type ScriptedServer, type SeenRequest } from "./scriptedServer.ts";

/** One call as it reached the server. */
export interface SeenCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A call's answer: its result, or its error object. */
export type PlayedAnswer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/**
 * Starts a JSON-RPC server for answers that no local node can be made to return: it answers single calls and batches call by
 * call, unless `whole` answers the whole request. Runs until `stopScripts`.
 */
export function playNode(
  answer: (call: SeenCall) => PlayedAnswer,
  whole: (calls: readonly SeenCall[] | SeenCall, earlier: number) => ScriptedAnswer | undefined = () => undefined,
): Promise<ScriptedServer> {
  return script((request, earlier) => {
    const calls = callsOf(request);
    const one = (call: SeenCall) => ({ jsonrpc: "2.0", id: call.id, ...answer(call) });
    const played = () => ({ body: JSON.stringify("method" in calls ? one(calls) : calls.map(one)) });
    return whole(calls, earlier.length) ?? played();
  });
}

/** The call or the batch of calls in a request. */
export function callsOf(request: SeenRequest): readonly SeenCall[] | SeenCall {
  return JSON.parse(request.body) as readonly SeenCall[] | SeenCall;
}
