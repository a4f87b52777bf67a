import { RpcError, undefinedIf, type Answer, type JsonRpc } from "@vipscore/core/wire";

/** Current price of one unit of gas, in wei. All are 0 on a rollup that charges nothing. */
export interface GasFees {
  /** The expected price in the next block. */
  readonly expected: bigint;
  /** The transaction's fee cap: twice the base fee (it at most doubles in six blocks, EIP-1559) plus the tip. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Reads the base fee of the newest block, or of the next one if the node's gas price shows that it is higher, and the tip. */
export async function readGasFees(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<GasFees> {
  const [baseFee, gasPrice, suggestedTip] = await Promise.all([
    rpc.read("eth_getBlockByNumber", ["latest", false], readBaseFee, signal),
    rpc.read("eth_gasPrice", [], (answer) => answer.quantity(), signal),
    readTip(rpc, signal),
  ]);
  // Without a suggested tip, the node's price above the base fee counts as the tip: all of it if blocks have no base fee.
  const leastTip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  const tip = suggestedTip > 0n ? suggestedTip : leastTip;
  // A node refuses by the base fee of the next block, which its price may already include.
  const next = suggestedTip > 0n && gasPrice - tip > baseFee ? gasPrice - tip : baseFee;
  return { expected: next + tip, maxFeePerGas: 2n * next + tip, maxPriorityFeePerGas: tip };
}

function readBaseFee(block: Answer): bigint {
  return block.optional("baseFeePerGas")?.quantity() ?? 0n;
}

/** The tip that the node suggests; 0 if it does not have the method. */
async function readTip(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const asked = rpc.read("eth_maxPriorityFeePerGas", [], (answer) => answer.quantity(), signal);
  return (await undefinedIf((error) => error instanceof RpcError, asked)) ?? 0n;
}
