import { numberToHex } from "viem";
import { HeightFloor, type Answer, type JsonRpc } from "@vipscore/core/wire";

/** The block heights of a connection to an endpoint. */
export function openHeights(rpc: JsonRpc): HeightFloor {
  return new HeightFloor(rpc.endpoint, (signal) => readHeight(rpc, signal));
}

/**
 * Reads the newest height whose state is committed. minievm returns a block and its receipts up to 330 ms before it
 * commits the block's state (recorded), and until then silently answers reads at that height from the previous state. The
 * height before the newest is always committed.
 */
async function readHeight(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const newest = await rpc.read("eth_blockNumber", [], (answer) => answer.quantity(), signal);
  return newest === 0n || (await isCommitted(rpc, newest, signal)) ? newest : newest - 1n;
}

/**
 * True if the state of a block is committed: the nonce of its last transaction's sender counts that transaction. A block
 * without transactions does not change the contract.
 */
async function isCommitted(rpc: JsonRpc, height: bigint, signal: AbortSignal | undefined): Promise<boolean> {
  const block = numberToHex(height);
  const found = await rpc.read("eth_getBlockByNumber", [block, false], readLastHash, signal);
  // This node is behind the one that reported the height.
  if (found === undefined) return false;
  if (found.hash === undefined) return true;
  const last = await rpc.read("eth_getTransactionByHash", [found.hash], readSender, signal);
  if (last === undefined) return false;
  const sent = [last.from, block];
  return (await rpc.read("eth_getTransactionCount", sent, (answer) => answer.quantity(), signal)) > last.nonce;
}

/** The hash of a block's last transaction. */
function readLastHash(block: Answer) {
  return block.value === null ? undefined : { hash: block.field("transactions").list().at(-1)?.hex() };
}

function readSender(transaction: Answer) {
  if (transaction.value === null) return undefined;
  return { from: transaction.field("from").hex(), nonce: transaction.field("nonce").quantity() };
}
