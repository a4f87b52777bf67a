import type { PolicyChain } from "../chain/policyChain.ts";
import type { Policy } from "../policy.ts";
import type { PolicySource } from "./policySource.ts";
import { windowSource } from "./windowSource.ts";

/**
 * Opens the sources of a policy, in its order, and then the table of its window if one of them reads the rollup. Nothing is read until a source is collected.
 *
 * @param chain The policy's rollup; needed by sources that read it.
 * @throws InputError `CONFIG_INVALID` without a rollup that a source needs, `POLICY_INVALID` for a kind of another VM.
 */
export function openSources({ folder, sources }: Policy, chain?: PolicyChain): readonly PolicySource[] {
  const opened = sources.map((source) => source.open({ folder, chain }));
  return chain === undefined ? opened : [...opened, windowSource(chain.window)];
}
