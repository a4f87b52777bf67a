import { InputError } from "@vipscore/core";

/** The first version without any of {@link bugs}; pragmas, peer ranges and docs name no earlier one. */
export const oldestSolc = "0.8.37";

/**
 * Bugs of solc by which plain Solidity changes storage or a value that is not its own, so that nothing follows from the sources. Source:
 * docs/bugs.json of argotorg/solidity, and the release notes of 0.8.37. Its other bugs since 0.8.24 need what `dangersIn` lists
 * (huge arrays, a storage layout), reach only the data of a revert, or stay in the variable that is copied (0.8.39).
 */
const bugs: readonly {
  readonly name: string;
  readonly introduced: string;
  readonly fixed: string;
  readonly viaIR: boolean;
}[] = [
  // `delete` of a transient variable clears the slot of that number in storage: ours.
  { name: "TransientStorageClearingHelperCollision", introduced: "0.8.28", fixed: "0.8.34", viaIR: true },
  // A local variable, such as a pointer to storage, gets the value of another function's.
  { name: "UnsoundSpillInMutualRecursion", introduced: "0.7.2", fixed: "0.8.36", viaIR: true },
  { name: "SpillSlotCollisionAcrossMutualRecursion", introduced: "0.7.2", fixed: "0.8.37", viaIR: true },
  // Clears 31 bytes behind the element, which may be rows to write.
  { name: "MemoryByteArrayElementDeleteClearsWholeWord", introduced: "0.1.0", fixed: "0.8.37", viaIR: false },
];

/** @throws InputError for a version of solc that has, with these settings, a known bug. */
export function refuseKnownBugs(version: string, { viaIR = false }: { readonly viaIR?: unknown }): void {
  const found = bugs.filter(
    (bug) => bug.viaIR === viaIR && !isBefore(version, bug.introduced) && isBefore(version, bug.fixed),
  );
  if (found.length === 0) return;
  throw new InputError(
    `solc ${version} has known bugs by which a contract can change VipScore's storage, so nothing follows from the sources`,
    {
      metaMessages: [
        ...found.map(({ name, fixed }) => `${name}, fixed in ${fixed}`),
        `Compile with solc ${oldestSolc} or newer: that code can be checked, and deployed.`,
      ],
    },
  );
}

/**
 * What a version still has, in words. It cannot be tied to a construct, and its fix changed no contract that Sourcify has verified.
 * Source: release notes of solc 0.8.38, "Yul Optimizer Knowledge Base Stale Bookkeeping Bug".
 */
export function rareBugOf(version: string): string {
  return isBefore(version, "0.8.38") ? "; before 0.8.38 its Yul optimizer may, very rarely, drop a store" : "";
}

/** Compares the three numbers of versions, whatever follows them. */
function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => text.split(/[^\d]/, 3).map(Number));
  const place = two?.findIndex((number, index) => number !== one?.[index]) ?? -1;
  return place !== -1 && Number(one?.[place]) < Number(two?.[place]);
}
