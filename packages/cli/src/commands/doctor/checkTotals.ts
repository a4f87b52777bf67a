import type { StageInfo } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { ok, warning, type Finding } from "./finding.ts";

/** Clients of the VIP API read scores as JavaScript numbers, which are exact below this. */
const exactBelow = 2n ** 53n;

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
