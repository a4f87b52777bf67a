import { SimulateRequest, SimulateResponse } from "cosmjs-types/cosmos/tx/v1beta1/service";
import type { ReadOptions } from "@vipscore/core";
import { queryChain, type JsonRpc } from "@vipscore/core/wire";

/**
 * Returns the gas that a transaction would use at a height, as simulated by the node.
 *
 * @throws QueryError with the chain's text when the transaction would fail; NodeError.
 */
export function simulateGas(comet: JsonRpc, txBytes: Uint8Array, options: ReadOptions): Promise<bigint> {
  const simulate = {
    path: "/cosmos.tx.v1beta1.Service/Simulate",
    request: SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish(),
    decode: (value: Uint8Array) => SimulateResponse.decode(value).gasInfo?.gasUsed ?? 0n,
  };
  return queryChain(comet, simulate, options);
}
