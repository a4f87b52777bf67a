import { size, type Hex } from "viem";

/** The constructor writes the owner, the first member, and the first stage and its number: at most seven new slots, and two events. */
const constructorGas = 250_000n;

/**
 * Upper bound of the gas to create a contract, on the Ethereum schedule: 53,000 for the transaction, 16 per byte
 * (EIP-2028, counting every byte as nonzero), 2 per word of creation code (EIP-3860), 200 per byte of deployed code,
 * which is shorter than the creation code.
 */
export function deployGas(creationCode: Hex): bigint {
  const bytes = BigInt(size(creationCode));
  return 53_000n + bytes * (16n + 200n) + ((bytes + 31n) / 32n) * 2n + constructorGas;
}
