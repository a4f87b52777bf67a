import { createHash } from "node:crypto";
import { QueryParamsResponse } from "cosmjs-types/cosmos/consensus/v1/query";
import { isObject } from "@vipscore/core/wire";
import { jsonRpcProtocol, type Fields, type JsonRpcCall } from "./jsonRpcProtocol.ts";
import type { NodeProtocol } from "./nodeProtocol.ts";

const broadcasts = new Set(["broadcast_tx_sync", "broadcast_tx_async", "broadcast_tx_commit"]);
const consensusParams = "/cosmos.consensus.v1.Query/Params";

/** CometBFT's JSON-RPC by POST. */
export const cometProtocol: NodeProtocol = jsonRpcProtocol({
  titleOf: (call) => (call.method === "abci_query" ? `abci_query ${String(fieldsOf(call)["path"])}` : call.method),
  broadcastHash: (call) => {
    const { tx } = fieldsOf(call);
    return broadcasts.has(call.method) && typeof tx === "string" ? cosmosHash(tx) : undefined;
  },
  lookedUpHash: (call) => {
    const { hash } = fieldsOf(call);
    return call.method === "tx" && typeof hash === "string"
      ? Buffer.from(hash, "base64").toString("hex").toUpperCase()
      : undefined;
  },
  acceptedResult: (hash) => ({ code: 0, data: "", log: "", codespace: "", hash }),
  receiptFields: ["height", "tx_result"],
  withMoreGas: (receipt) => {
    const { tx_result: result } = receipt;
    if (!isObject(result)) return receipt;
    return { ...receipt, tx_result: { ...result, gas_used: String(BigInt(String(result["gas_used"])) * 100n) } };
  },
  namesBlockGas: (call) => call.method === "abci_query" && fieldsOf(call)["path"] === consensusParams,
  withBlockGas: (result, gas) => {
    const { response } = result;
    if (!isObject(response) || typeof response["value"] !== "string") return result;
    const { params } = QueryParamsResponse.decode(Buffer.from(response["value"], "base64"));
    const block = { maxBytes: params?.block?.maxBytes ?? -1n, maxGas: gas };
    const changed = QueryParamsResponse.fromPartial({ params: { ...params, block } });
    const value = Buffer.from(QueryParamsResponse.encode(changed).finish()).toString("base64");
    return { ...result, response: { ...response, value } };
  },
});

/** The hash of a transaction of the Cosmos SDK, in capitals. */
export function cosmosHash(base64: string): string {
  return createHash("sha256").update(Buffer.from(base64, "base64")).digest("hex").toUpperCase();
}

function fieldsOf({ params }: JsonRpcCall): Fields {
  return isObject(params) ? params : {};
}
