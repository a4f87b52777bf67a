import { HeightFloor, isObject } from "@vipscore/core/http";
import { numberToHex } from "viem";
import type { JsonRpc } from "./rpc/jsonRpc.ts";
import { parseQuantity, readQuantity } from "./rpc/readQuantity.ts";

/** The heights that a connection to an endpoint sees. */
export function openHeights(rpc: JsonRpc): HeightFloor {
  return new HeightFloor(rpc.endpoint, (signal) => readHeight(rpc, signal));
}

/**
 * The newest height whose state can be read. minievm shows a block and its receipts up to 330 ms before it commits the
 * block's state (recorded), and until then answers reads at that height from the state before it, silently. The height before
 * the newest is committed in any case.
 */
async function readHeight(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const newest = await readQuantity(rpc, "eth_blockNumber", [], signal);
  return newest === 0n || (await isCommitted(rpc, newest, signal)) ? newest : newest - 1n;
}

/**
 * True if the state of a block can be read: the nonce of the sender of its last transaction counts that transaction. A block
 * without transactions leaves the contract as it was.
 */
async function isCommitted(rpc: JsonRpc, height: bigint, signal: AbortSignal | undefined): Promise<boolean> {
  const block = numberToHex(height);
  const found = await rpc.request("eth_getBlockByNumber", [block, false], { signal, attempts: "read" });
  // A node behind the one that named the height.
  if (!isObject(found)) return false;
  const { transactions } = found;
  const hash: unknown = Array.isArray(transactions) ? transactions.at(-1) : undefined;
  if (hash === undefined) return true;
  const method = "eth_getTransactionByHash";
  const transaction = await rpc.request(method, [hash], { signal, attempts: "read" });
  if (!isObject(transaction)) return false;
  const nonce = parseQuantity(rpc, method, transaction["nonce"]);
  const count = await readQuantity(rpc, "eth_getTransactionCount", [transaction["from"], block], signal);
  return count > nonce;
}
