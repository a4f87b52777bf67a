import type { EntryPointOptions, SignalOptions, TransactionLimits } from "@vipscore/core";
import type { Answer, JsonRpc } from "@vipscore/core/wire";

/** Largest gas limit of one transaction since Osaka (EIP-7825), 2^24; Hardhat applies it in every hardfork. */
const transactionGasCap = 16_777_216n;

/** geth refuses transactions above 131,072 bytes (`txMaxSize`); the margin is for a proxy's envelope. */
const maxBytes = 120_000;

/** Signature, fields of the transaction at their widest (about 230 bytes), selector and four words before the rows. */
const baseBytes = 400;

/** An address and an amount, one ABI word each. */
const rowBytes = 64;

/** Reads the chain's current limits for one transaction. */
export async function transactionLimits(
  rpc: JsonRpc,
  baseGas: bigint,
  { signal }: EntryPointOptions & SignalOptions,
): Promise<TransactionLimits> {
  const readGasLimit = (block: Answer): bigint => block.field("gasLimit").quantity();
  const blockGas = await rpc.read("eth_getBlockByNumber", ["latest", false], readGasLimit, signal);
  const maxGas = blockGas < transactionGasCap ? blockGas : transactionGasCap;
  return { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
}
