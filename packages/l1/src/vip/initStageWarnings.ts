import type { Stage } from "@vipscore/core";
import type { VipStage } from "./vipStage.ts";

/**
 * What to know before a contract is deployed with a first stage. When the proposal that registers the rollup executes, L1
 * sets the first stage that it wants of it to the stage after the one it runs then. A contract that starts earlier finalizes
 * the stages before that empty; one that starts later can never serve it, and the ones after wait for it.
 */
export function initStageWarnings(current: VipStage, initStage: Stage): readonly string[] {
  const firstWanted = current.stage + 1n;
  if (initStage > firstWanted) {
    return [
      `L1 runs stage ${current.stage}. Were the rollup registered now, L1 would want its scores from stage ${firstWanted} on, which a contract that starts at stage ${initStage} can never serve.`,
      `Start at stage ${firstWanted} or earlier, unless the proposal executes in stage ${initStage - 1n} or later.`,
    ];
  }
  const empty = firstWanted - initStage;
  if (empty < 2n) return [];
  return [
    `L1 runs stage ${current.stage}: a contract that starts at stage ${initStage} has to finalize at least ${empty} stages before the first one that L1 wants of a rollup that is registered now, ${firstWanted}.`,
  ];
}
