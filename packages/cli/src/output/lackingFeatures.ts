import type { ContractFeatures } from "@vipscore/core";

/** Returns what a contract lacks of the vipscore contract, for people; empty for one that lacks nothing. */
export function lackingFeatures({ checkedFinalize, packed, roles }: ContractFeatures): readonly string[] {
  return [
    ...(checkedFinalize ? [] : ["checked finalize"]),
    ...(packed ? [] : ["packed entry point"]),
    ...(roles ? [] : ["owner and finalizer"]),
  ];
}

/** Describes a contract by its version and what it lacks. */
export function describeVersion(version: string | undefined, features: ContractFeatures): string {
  const lacking = lackingFeatures(features);
  const without = lacking.length === 0 ? "" : `, without ${lacking.join(", ")}`;
  return `${version ?? "of an unknown version"}${without}`;
}
