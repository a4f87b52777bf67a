import type { Stage, StageInfo } from "@vipscore/core";
import { initStageWarnings, type VipStage } from "@vipscore/l1";
import { count, group } from "../../output/numbers.ts";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";

/** Clients of the VIP API read scores as JavaScript numbers, which are exact below this. */
const exactBelow = 2n ** 53n;

/** L1's expectations of the contract. */
export interface Expected {
  readonly l1: VipStage | undefined;
  /** The first stage that L1 expects from this contract; undefined while it is not registered. */
  readonly registeredFrom: bigint | undefined;
}

/** Compares the contract's first stage with the one that L1 expects, or will set when the rollup is registered. */
export function checkFirstStage(initStage: Stage, { l1, registeredFrom }: Expected): readonly Finding[] {
  if (l1 === undefined) return [skipped("first-stage", `${initStage}; L1 was not asked which one it expects`)];
  if (registeredFrom === undefined) {
    const warnings = initStageWarnings(l1, initStage);
    if (warnings.length === 0) {
      return [ok("first-stage", `${initStage}; registration would set ${l1.stage + 1n} now, the stage after L1's`)];
    }
    return initStage > l1.stage + 1n
      ? [action("first-stage", warnings.join(" "))]
      : warnings.map((text) => warning("first-stage", text));
  }
  if (initStage <= registeredFrom)
    return [ok("first-stage", `${initStage}; L1 expects scores from stage ${registeredFrom} on`)];
  return [
    action(
      "first-stage",
      `${initStage}, but L1 expects scores from stage ${registeredFrom} on: it waits for stages that this contract can never provide`,
      `Deploy a contract that starts at stage ${registeredFrom}: vipscore deploy --init-stage ${registeredFrom}`,
      "Then have L1 point to it: vipscore proposal contract",
    ),
  ];
}

/** Reports the stages that users wait for: open on the contract, over on L1. */
export function checkOpenStage(open: StageInfo | undefined, { l1, registeredFrom }: Expected): Finding {
  if (open === undefined) return warning("open-stage", "the contract has no open stage");
  const { stage, total, count: accounts } = open;
  const held = `total ${group(total)}${accounts === undefined ? "" : `, ${count(accounts, "account")}`}`;
  if (l1 === undefined) return skipped("open-stage", `stage ${stage} is open, ${held}; L1 was not asked for its stage`);
  if (stage >= l1.stage) {
    const ahead = stage > l1.stage ? `L1 is still at stage ${l1.stage}` : "L1 is at the same stage";
    return ok("open-stage", `stage ${stage} is open, ${held}; ${ahead}`);
  }
  const behind = l1.stage - stage;
  const many = behind === 1n ? "" : ` and ${behind - 1n} after it`;
  const fix = [`vipscore push scores.csv --stage ${stage}`, `vipscore finalize --stage ${stage} --file scores.csv`];
  if (registeredFrom === undefined || stage < registeredFrom) {
    return warning(
      "open-stage",
      `stage ${stage} is open, ${held}; L1 is at stage ${l1.stage} and expects nothing of this stage: finalize it${many} empty before the first stage that counts`,
    );
  }
  return action(
    "open-stage",
    `stage ${stage}${many} is over on L1 (stage ${l1.stage}) and not finalized: users wait for its rewards; it holds ${held}`,
    ...fix,
  );
}

/** Reports totals that clients of the VIP API cannot read exactly, or soon cannot. */
export function checkTotals(stages: readonly StageInfo[]): Finding {
  const largest = stages.reduce((most, { total }) => (total > most ? total : most), 0n);
  if (largest < exactBelow / 2n)
    return ok("totals", `at most ${group(largest)} in the newest ${count(stages.length, "stage")}`);
  const named = stages.filter(({ total }) => total === largest).map(({ stage }) => `stage ${stage}`);
  const reach = largest < exactBelow ? "is near" : "reaches";
  return warning(
    "totals",
    `${group(largest)} in ${named.join(", ")} ${reach} 2^53: clients of the VIP API read scores as JavaScript numbers, which are exact below that`,
    "Divide the scores of the next stage by a constant: shares stay the same.",
  );
}
