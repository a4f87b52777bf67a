import { Answer, RpcError, type JsonRpc } from "@vipscore/core/wire";
import { providerRpc, type EvmProvider } from "../src/openRpc.ts";

/** A connection that records the requested methods. */
type AskedRpc = JsonRpc & { readonly asked: readonly string[] };

const endpoint = "http://scripted";

/**
 * A connection that answers each method with the given value, or throws the given error, for answers that no local node
 * can be made to return. It does not retry.
 */
export function scriptedRpc(answers: Readonly<Record<string, unknown>>): AskedRpc {
  const asked: string[] = [];
  const send: JsonRpc["send"] = async (method, _, read) => {
    asked.push(method);
    const answer = answers[method];
    if (answer === undefined) throw refusal(`the method ${method} does not exist`, -32601);
    if (answer instanceof Error) throw answer;
    return read(new Answer({ endpoint, title: method }, answer));
  };
  return { endpoint, asked, read: send, send };
}

/** A connection that returns the answers in order, then repeats the last one. It retries reads as real connections do. */
export function answeringRpc(...answers: readonly unknown[]): AskedRpc {
  const asked: string[] = [];
  const request: EvmProvider["request"] = ({ method }) => {
    asked.push(method);
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]);
  };
  return { ...providerRpc({ request }), asked };
}

/** A node's error answer. */
export function refusal(message: string, code = -32000): RpcError {
  return new RpcError(endpoint, "a method", { code, message });
}
