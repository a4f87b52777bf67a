import { size, type Hex } from "viem";

/** The constructor writes owner, first member, first stage and its number: seven fresh slots at most, and two events. */
const constructorGas = 250_000n;

/**
 * Upper bound of the gas of creating a contract, on the Ethereum schedule: 53,000 for the transaction, 16 for a byte
 * (EIP-2028, all taken as other than zero), 2 for a word of creation code (EIP-3860), 200 for a byte of deployed code,
 * which is shorter than the code that creates it.
 */
export function deployGas(creationCode: Hex): bigint {
  const bytes = BigInt(size(creationCode));
  return 53_000n + bytes * (16n + 200n) + ((bytes + 31n) / 32n) * 2n + constructorGas;
}
