import type { Stage } from "@vipscore/core";
import { initStageWarnings, type VipStage } from "@vipscore/l1";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";
import type { RegisteredVersion } from "./findRegistration.ts";

/**
 * Compares the contract's first stage with the next one of which L1 needs a snapshot, or that it will need if the rollup is
 * registered now.
 */
export function checkFirstStage(
  initStage: Stage,
  l1: VipStage | undefined,
  registered: RegisteredVersion | undefined,
): readonly Finding[] {
  if (l1 === undefined) return [skipped("first-stage", `${initStage}; L1 was not asked which one it expects`)];
  if (registered !== undefined) return [ofRegistered(initStage, registered)];
  const warnings = initStageWarnings(l1, initStage);
  if (warnings.length === 0) {
    return [ok("first-stage", `${initStage}; registration would set ${l1.stage + 1n} now, the stage after L1's`)];
  }
  return initStage > l1.stage + 1n
    ? [action("first-stage", warnings.join(" "))]
    : warnings.map((text) => warning("first-stage", text));
}

function ofRegistered(initStage: Stage, { next }: RegisteredVersion): Finding {
  if (initStage <= next) return ok("first-stage", `${initStage}; L1 needs the snapshot of stage ${next} next`);
  return action(
    "first-stage",
    `${initStage}, but L1 needs the snapshot of stage ${next} next: it waits for stages that this contract can never provide`,
    `Deploy a contract that starts at stage ${next}: vipscore deploy --init-stage ${next}`,
    "Then have L1 point to it: vipscore proposal contract",
  );
}
