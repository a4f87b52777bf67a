import { isHex, keccak256, numberToHex } from "viem";
import { jsonRpcProtocol, type JsonRpcCall } from "./jsonRpcProtocol.ts";
import type { NodeProtocol } from "./nodeProtocol.ts";

const lookUps = new Set(["eth_getTransactionReceipt", "eth_getTransactionByHash"]);

/** Ethereum's JSON-RPC. */
export const evmProtocol: NodeProtocol = jsonRpcProtocol({
  titleOf: ({ method }) => method,
  broadcastHash: (call) => {
    const [raw] = listOf(call);
    return call.method === "eth_sendRawTransaction" && isHex(raw) ? keccak256(raw) : undefined;
  },
  lookedUpHash: (call) => (lookUps.has(call.method) ? String(listOf(call)[0]).toLowerCase() : undefined),
  acceptedResult: (hash) => hash,
  receiptFields: ["blockNumber", "gasUsed", "status"],
  withMoreGas: (receipt) => {
    const { gasUsed } = receipt;
    return isHex(gasUsed) ? { ...receipt, gasUsed: numberToHex(BigInt(gasUsed) * 100n) } : receipt;
  },
  namesBlockGas: ({ method }) => method === "eth_getBlockByNumber",
  withBlockGas: (block, gas) => ({ ...block, gasLimit: numberToHex(gas) }),
});

function listOf({ params }: JsonRpcCall): readonly unknown[] {
  return Array.isArray(params) ? params : [];
}
