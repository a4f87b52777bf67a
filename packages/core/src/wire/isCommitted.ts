import type { Answer } from "./answer.ts";
import type { JsonRpc } from "./jsonRpc.ts";

/**
 * True if an EVM node reads the state of its newest block, and not the one before. minievm returns a block and its receipts up
 * to 330 ms before it commits the block's state (recorded), and until then silently answers reads at that height from the
 * previous state, which is always committed.
 *
 * The nonce of the last transaction's sender shows it. A block without transactions changes no contract.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function isCommitted(
  rpc: Pick<JsonRpc, "read">,
  height: bigint,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const block = `0x${height.toString(16)}`;
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
