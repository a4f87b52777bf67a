import { InputError } from "@vipscore/core/errors";

/** The largest u64. */
export const u64Max = 2n ** 64n - 1n;

/** @throws InputError `INPUT_INVALID` if the value does not fit u64. */
export function requireU64(name: string, value: bigint): void {
  if (value >= 0n && value <= u64Max) return;
  throw new InputError(`${name} ${value} is not an integer from 0 to ${u64Max}`);
}
