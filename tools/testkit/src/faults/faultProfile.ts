import type { Vm } from "@vipscore/core";
import { allFaultKinds, traitsOf, type FaultKind } from "./faultKinds.ts";
import type { RequestRole } from "./protocol/nodeProtocol.ts";
import { randomFor } from "./randomFor.ts";

/** The faults of a run, and the percentage of its requests that they hit. */
export interface FaultProfile {
  readonly kinds: readonly FaultKind[];
  /** Percentage of the requests of each role. */
  readonly percent: Readonly<Record<RequestRole, number>>;
}

/**
 * Transactions are rare compared with reads, so faults hit them more often. Some profiles leave reads alone, so that a client
 * that cannot handle a failed read still reaches its transactions.
 */
const levels: readonly FaultProfile["percent"][] = [
  { broadcast: 15, lookUp: 8, read: 4 },
  { broadcast: 30, lookUp: 15, read: 8 },
  { broadcast: 50, lookUp: 25, read: 15 },
  { broadcast: 40, lookUp: 20, read: 0 },
  { broadcast: 70, lookUp: 40, read: 0 },
];

/** Draws the profile of a run: all faults in one of three runs, otherwise one to three kinds. */
export function drawProfile(seed: number, vm: Vm): FaultProfile {
  const random = randomFor(seed, "profile");
  const possible = allFaultKinds.filter((kind) => vm === "evm" || traitsOf(kind).evmOnly !== true);
  const percent = random.pick(levels);
  if (random.below(3) === 0) return { kinds: possible, percent };
  const count = 1 + random.below(3);
  const kinds = new Set<FaultKind>();
  while (kinds.size < count) kinds.add(random.pick(possible));
  return { kinds: [...kinds], percent };
}
