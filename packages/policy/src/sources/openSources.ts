import type { Policy } from "../policy.ts";
import type { PolicySource } from "./policySource.ts";
import { referenceSource } from "./referenceSource.ts";

/** Opens the sources of a policy, in its order. Nothing is read until a source is collected. */
export function openSources(policy: Policy): readonly PolicySource[] {
  return policy.sources.map((definition) => referenceSource(policy, definition));
}
