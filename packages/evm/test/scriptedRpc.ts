import { RpcError, type JsonRpc } from "../src/rpc/jsonRpc.ts";

/** A node's answer: a value, or an error to throw. */
type Scripted = unknown;

/** A connection that answers each method as told, for answers that no local node can be made to give. */
export function scriptedRpc(
  answers: Readonly<Record<string, Scripted>>,
): JsonRpc & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    endpoint: "http://scripted",
    asked,
    request(method: string): Promise<unknown> {
      asked.push(method);
      const answer = answers[method];
      if (answer === undefined) return Promise.reject(refusal(`the method ${method} does not exist`, -32601));
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

/** A node's error answer. */
export function refusal(message: string, code = -32000): RpcError {
  return new RpcError("http://scripted", "a method", { code, message });
}
