import { Answer, RpcError, type JsonRpc } from "@vipscore/core/wire";
import { providerRpc, type EvmProvider } from "../src/rpc/providerRpc.ts";

/** A connection that notes which methods it was asked for. */
type AskedRpc = JsonRpc & { readonly asked: readonly string[] };

const endpoint = "http://scripted";

/**
 * A connection that answers each method as told, a value or an error to throw, for answers that no local node can be made to
 * give. It asks once.
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

/** A connection that gives one answer after the other, the last one from then on, and repeats reads as connections do. */
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
