import { getAddress, keccak256, slice, toHex, type Address } from "viem";

/** The n-th of a fixed series of addresses that look random. */
export function someAddress(n: number): Address {
  return getAddress(slice(keccak256(toHex(`account ${n}`)), 0, 20));
}

/** `count` addresses of that series, from the n-th on. */
export function someAddresses(count: number, from = 0): Address[] {
  return Array.from({ length: count }, (_, i) => someAddress(from + i));
}
