import type { TransactionLimits } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import type { JsonRpc } from "./rpc/jsonRpc.ts";
import { parseQuantity } from "./rpc/readQuantity.ts";

/** Largest gas limit of one transaction since Osaka (EIP-7825), 2^24; Hardhat applies it in every hardfork. */
const transactionGasCap = 16_777_216n;

/** geth refuses transactions above 131,072 bytes (`txMaxSize`); the rest is left for a proxy's envelope. */
const maxBytes = 120_000;

/** Signature, fields of the transaction at their widest (about 230 bytes), selector and four words before the rows. */
const baseBytes = 400;

/** An address and an amount, one ABI word each. */
const rowBytes = 64;

/** What bounds one transaction on this chain now. */
export async function transactionLimits(
  rpc: JsonRpc,
  baseGas: bigint,
  signal: AbortSignal | undefined,
): Promise<TransactionLimits> {
  const method = "eth_getBlockByNumber";
  const block = await rpc.request(method, ["latest", false], { signal, attempts: "read" });
  const blockGas = parseQuantity(rpc, method, isObject(block) ? block["gasLimit"] : undefined);
  const maxGas = blockGas < transactionGasCap ? blockGas : transactionGasCap;
  return { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
}
