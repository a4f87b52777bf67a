import type { SeededRandom } from "../seededRandom.ts";
import { traitsOf, type FaultKind } from "./faultKinds.ts";
import type { FaultProfile } from "./faultProfile.ts";
import type { ClassifiedRequest } from "./protocol/nodeProtocol.ts";
import { randomFor } from "./randomFor.ts";

/** The fault of one request. */
export interface ChosenFault {
  readonly kind: FaultKind;
  /** Determines how it is played: for how long, with which status. */
  readonly random: SeededRandom;
}

/** Chooses the fault of each request, or none. */
export type ChooseFault = (request: ClassifiedRequest) => ChosenFault | undefined;

/**
 * Chooses by the seed, the kind of request, and how often it was made before. So an extra poll, which depends on timing, does
 * not change the faults of other requests.
 */
export function chooseBySeed(seed: number, { kinds, percent }: FaultProfile): ChooseFault {
  const counts = new Map<string, number>();
  const played = new Map<FaultKind, number>();
  return ({ role, title }) => {
    const ordinal = counts.get(title) ?? 0;
    counts.set(title, ordinal + 1);
    const random = randomFor(seed, `request ${ordinal} ${title}`);
    if (random.below(100) >= percent[role]) return undefined;
    const possible = kinds.filter((kind) => {
      const { roles, maxPerRun } = traitsOf(kind);
      return roles.includes(role) && (played.get(kind) ?? 0) < maxPerRun;
    });
    if (possible.length === 0) return undefined;
    const kind = random.pick(possible);
    played.set(kind, (played.get(kind) ?? 0) + 1);
    return { kind, random };
  };
}
