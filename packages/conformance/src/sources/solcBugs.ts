import { InputError } from "@vipscore/core";

/** The first version without any of {@link bugs}; pragmas, peer ranges and docs name no earlier one. */
export const oldestSolc = "0.8.37";

/**
 * Bugs by which plain Solidity changes storage or a value that is not its own, so that nothing follows from the sources: the first
 * version 0.8.x that has it, the first that does not, and whether it needs viaIR or its absence. Source: docs/bugs.json of
 * Solidity, and the release notes of 0.8.37. Its other bugs since 0.8.24 need what `dangersIn` lists (huge arrays, a
 * storage layout), reach only the data of a revert, or stay in the variable that is copied (0.8.39).
 */
const bugs = [
  // `delete` of a transient variable clears the slot of that number in storage: ours.
  ["TransientStorageClearingHelperCollision", 28, 34, true],
  // A local variable, such as a pointer to storage, gets the value of another function's.
  ["UnsoundSpillInMutualRecursion", 0, 36, true],
  ["SpillSlotCollisionAcrossMutualRecursion", 0, 37, true],
  // Clears 31 bytes behind the element, which may be rows to write.
  ["MemoryByteArrayElementDeleteClearsWholeWord", 0, 37, false],
] as const;

/** @throws InputError for a version of solc that has, with these settings, a known bug. */
export function refuseKnownBugs(version: string, { viaIR = false }: { readonly viaIR?: unknown }): void {
  const patch = patchOf(version);
  const found = bugs.filter(([, first, fixed, needsIR]) => needsIR === viaIR && first <= patch && patch < fixed);
  if (found.length === 0) return;
  const problem =
    "has known bugs by which a contract can change VipScore's storage, so nothing follows from the sources";
  const advice = `Compile with solc ${oldestSolc} or newer: that code can be checked, and deployed.`;
  throw new InputError(`solc ${version} ${problem}`, {
    metaMessages: [...found.map(([name, , fixed]) => `${name}, fixed in 0.8.${fixed}`), advice],
  });
}

/**
 * What a version still has, in words. It cannot be tied to a construct, and its fix changed no contract that is verified in public.
 * Source: release notes of solc 0.8.38, "Yul Optimizer Knowledge Base Stale Bookkeeping Bug".
 */
export function rareBugOf(version: string): string {
  return patchOf(version) < 38 ? "; before 0.8.38 its Yul optimizer may, very rarely, drop a store" : "";
}

/** The last number of a version 0.8.x; NaN for others, which have no known bug or do not compile our files. */
function patchOf(version: string): number {
  return Number(/^0\.8\.(\d+)/.exec(version)?.[1]);
}
