import type { Stage } from "@vipscore/core";
import type { VipStage } from "./vipStage.ts";

/**
 * Returns warnings about a contract's first stage, before it is deployed. When the proposal that registers the rollup
 * executes, L1 sets the first stage that it expects to the one after its current stage. A contract that starts earlier
 * has to finalize the stages before that empty; a contract that starts later can never provide it, and all later stages
 * wait for it.
 */
export function initStageWarnings(current: VipStage, initStage: Stage): readonly string[] {
  const firstWanted = current.stage + 1n;
  if (initStage > firstWanted) {
    return [
      `L1 is at stage ${current.stage}. If the rollup were registered now, L1 would expect scores from stage ${firstWanted} on, which a contract that starts at stage ${initStage} can never provide.`,
      `Start at stage ${firstWanted} or earlier, unless the proposal executes in stage ${initStage - 1n} or later.`,
    ];
  }
  const empty = firstWanted - initStage;
  if (empty < 2n) return [];
  return [
    `L1 is at stage ${current.stage}: a contract that starts at stage ${initStage} has to finalize at least ${empty} stages before stage ${firstWanted}, the first that L1 expects from a rollup registered now.`,
  ];
}
