import { hexToBytes, keccak256, type Address, type Hex } from "viem";
import type { SignedTransaction } from "@vipscore/core";
import type { EvmAccount } from "./evmAccount.ts";
import type { GasFees } from "./fees.ts";

/** A transaction to sign; without `to` it creates a contract. */
export interface UnsignedTransaction {
  readonly to?: Address;
  readonly data: Hex;
  readonly chainId: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  readonly fees: GasFees;
}

/**
 * Signs an EIP-1559 transaction. The caller provides every field, so that no node has to fill, estimate or price
 * anything: minievm has no `eth_fillTransaction` and caps `eth_estimateGas` below the gas of a batch.
 */
export async function signTransaction(
  account: EvmAccount,
  { to, data, chainId, sequence, gas, fees }: UnsignedTransaction,
): Promise<SignedTransaction> {
  const serialized = await account.signTransaction({
    type: "eip1559",
    chainId: Number(chainId),
    nonce: Number(sequence),
    to: to ?? null,
    data,
    gas,
    value: 0n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
  return { hash: keccak256(serialized), sequence, gas, bytes: hexToBytes(serialized) };
}
