import { InputError, u64Max } from "@vipscore/core";
import { parseNftAddress } from "../nft/nftAddress.ts";

/** A collection and the points per token. */
export interface WeighedCollection {
  /** `0x` hex. */
  readonly address: `0x${string}`;
  readonly weight: bigint;
}

/**
 * Parses the collections and weights of a command line.
 *
 * @param weights Empty for 1 each, one for all, or one for each collection.
 * @throws InputError `INPUT_INVALID` with all errors.
 */
export function parseWeights(addresses: readonly string[], weights: readonly string[]): readonly WeighedCollection[] {
  const faults: string[] = [];
  const collected = addresses.map((address) => attempt(faults, () => parseNftAddress(address, "collection")));
  const parsed = weights.map((weight) => attempt(faults, () => parseWeight(weight)));
  if (weights.length > 1 && weights.length !== addresses.length) {
    faults.push(
      `${weights.length} weights do not match ${addresses.length} collections: give none, one, or one for each`,
    );
  }
  const duplicate = collected.find((address, index) => address !== undefined && collected.indexOf(address) < index);
  if (duplicate !== undefined) faults.push(`collection ${duplicate} is given twice`);
  const [fault, ...others] = faults;
  if (fault !== undefined) throw new InputError(fault, { metaMessages: others });
  return collected.map((address, index) => ({
    // Without errors no item is undefined.
    address: address ?? "0x",
    weight: parsed[index] ?? parsed[0] ?? 1n,
  }));
}

function parseWeight(text: string): bigint {
  if (/^\d{1,20}$/.test(text)) {
    const weight = BigInt(text);
    if (weight > 0n && weight <= u64Max) return weight;
  }
  throw new InputError(`--weight "${text.slice(0, 100)}" is not an integer from 1 to 2^64 - 1`);
}

function attempt<T>(faults: string[], parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    faults.push(error.shortMessage);
    return undefined;
  }
}
