import { absentIf, RpcError, type Answer, type JsonRpc } from "@vipscore/core/wire";

/** What one unit of gas costs now, in wei. All are 0 on a rollup that charges nothing. */
export interface GasFees {
  /** What a transaction in the next block is expected to pay. */
  readonly expected: bigint;
  /** The cap that a transaction carries: twice the base fee (it at most doubles in six blocks, EIP-1559) and the tip. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Reads base fee, tip and price of the newest block. */
export async function readGasFees(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<GasFees> {
  const [baseFee, gasPrice, suggestedTip] = await Promise.all([
    rpc.read("eth_getBlockByNumber", ["latest", false], readBaseFee, signal),
    rpc.read("eth_gasPrice", [], (answer) => answer.quantity(), signal),
    readTip(rpc, signal),
  ]);
  // Where no tip is suggested the node's price still counts: all of it where blocks have no base fee.
  const leastTip = gasPrice > baseFee ? gasPrice - baseFee : 0n;
  const tip = suggestedTip > 0n ? suggestedTip : leastTip;
  return { expected: baseFee + tip, maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip };
}

function readBaseFee(block: Answer): bigint {
  return block.optional("baseFeePerGas")?.quantity() ?? 0n;
}

/** The tip that the node suggests; 0 where it has no such method. */
async function readTip(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const asked = rpc.read("eth_maxPriorityFeePerGas", [], (answer) => answer.quantity(), signal);
  return (await absentIf((error) => error instanceof RpcError, asked)) ?? 0n;
}
