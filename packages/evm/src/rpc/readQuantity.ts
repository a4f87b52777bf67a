import { NodeError } from "@vipscore/core";
import type { JsonRpc } from "./jsonRpc.ts";

/** A request whose result is one number. */
export async function readQuantity(
  rpc: JsonRpc,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<bigint> {
  return parseQuantity(rpc, method, await rpc.request(method, params, { signal, attempts: "read" }));
}

/**
 * A JSON-RPC quantity (`0x` and hex digits) as a bigint.
 *
 * @throws NodeError `NODE_BAD_RESPONSE` for anything else.
 */
export function parseQuantity(rpc: JsonRpc, method: string, value: unknown): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) {
    throw new NodeError(`${rpc.endpoint} answered ${method} with something that is not a number`, {
      code: "NODE_BAD_RESPONSE",
      details: String(value).slice(0, 200),
    });
  }
  return BigInt(value);
}
