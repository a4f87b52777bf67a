import { script, type ScriptedAnswer, type ScriptedServer, type SeenRequest } from "./scriptedServer.ts";

/** The target of a request: the path of an `abci_query`, otherwise the method. */
export interface Asked {
  readonly name: string;
  readonly id: number;
  readonly params: { readonly data?: string; readonly height?: string; readonly tx?: string };
}

/** Answers a request. */
export type Reply = (asked: Asked) => ScriptedAnswer;

/** The parsed body of a request; of several calls the first. */
export function askedBy({ body }: Pick<SeenRequest, "body">): Asked {
  const [{ id, method, params }] = [JSON.parse(body)].flat() as [
    { id: number; method: string; params: Record<string, string> },
  ];
  return { name: method === "abci_query" ? (params["path"] ?? "") : method, id, params };
}

/** The result of a method. */
export function result(value: object): Reply {
  return ({ id }) => ({ body: { jsonrpc: "2.0", id, result: value } });
}

/** CometBFT's own error, as recorded: the reason is in `data`. */
export function failure(data: string, message = "Internal error", code = -32603): Reply {
  return ({ id }) => ({ body: { jsonrpc: "2.0", id, error: { code, message, data } } });
}

/** The chain's answer to a query: bytes, at the requested height. */
export function state(bytes: Uint8Array, height?: string): Reply {
  return (asked) => {
    const at = height ?? asked.params.height ?? "9";
    const value = Buffer.from(bytes).toString("base64");
    const response = {
      code: 0,
      log: "",
      info: "",
      index: "0",
      key: null,
      value,
      proofOps: null,
      height: at,
      codespace: "",
    };
    return result({ response })(asked);
  };
}

/** The chain's refusal of a query. */
export function refused(log: string, code = 6, codespace = "sdk"): Reply {
  return result({
    response: { code, log, info: "", index: "0", key: null, value: null, proofOps: null, height: "9", codespace },
  });
}

/** Anything other than JSON-RPC. */
export function raw(answer: ScriptedAnswer): Reply {
  return () => answer;
}

const unknownPath = refused("unknown query path: unknown request");

/**
 * Starts a server that answers the n-th request of a name with the n-th of its replies, and further ones with the last
 * reply. It answers a query without replies as a chain that does not have it.
 */
export function scriptNode(repliesOf: Readonly<Record<string, readonly Reply[]>>): Promise<ScriptedServer> {
  return script((request, earlier) => {
    const asked = askedBy(request);
    const replies = repliesOf[asked.name] ?? [asked.name.startsWith("/") ? unknownPath : failure("no such method")];
    const turn = earlier.filter((seen) => askedBy(seen).name === asked.name).length;
    return replies[Math.min(turn, replies.length - 1)]?.(asked);
  });
}
