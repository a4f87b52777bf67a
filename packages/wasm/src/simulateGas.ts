import type { ReadOptions } from "@vipscore/core";
import { SimulateRequest, SimulateResponse } from "cosmjs-types/cosmos/tx/v1beta1/service";
import type { CometRpc } from "./cometRpc.ts";
import { queryChain, type ChainQuery } from "./queryChain.ts";

const simulate: ChainQuery<SimulateRequest, SimulateResponse> = {
  path: "/cosmos.tx.v1beta1.Service/Simulate",
  request: SimulateRequest,
  response: SimulateResponse,
};

/**
 * The gas that a transaction would use at a height, as the node finds by running it.
 *
 * @throws QueryError with the chain's text when the transaction would fail; NodeError.
 */
export async function simulateGas(comet: CometRpc, txBytes: Uint8Array, options: ReadOptions): Promise<bigint> {
  const request = SimulateRequest.fromPartial({ txBytes });
  const { gasInfo } = await queryChain(comet, simulate, request, options);
  return gasInfo?.gasUsed ?? 0n;
}
