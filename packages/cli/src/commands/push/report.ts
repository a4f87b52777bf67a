import type { ContractIdentity, PushPlan } from "@vipscore/core";
import type { VipStage } from "@vipscore/l1";
import { l1StageJson } from "../../l1/l1Stage.ts";
import { planJson } from "../../output/planJson.ts";

/** Returns what a dry run says after the plan. */
export function dryRunEnding(plan: PushPlan, file: string): string {
  const { counts, price, fees } = plan;
  if (counts.extra > 0) {
    return "Nothing was sent. A push would be refused: run with --prune to set extra accounts to 0, or add them to the file.";
  }
  if (plan.rows.length === 0) return `Nothing was sent. Nothing to do: the chain already holds ${file}.`;
  if (fees !== undefined && price !== undefined && price > fees.balance) {
    return "Nothing was sent. A push would be refused: the balance does not cover the price.";
  }
  return "Nothing was sent. Run without --dry-run to apply.";
}

/** Returns the report for `--json`, without what was sent. */
export function pushJson(file: string, contract: ContractIdentity, plan: PushPlan, l1: VipStage | undefined): object {
  const { table, stage } = plan;
  return {
    command: "push",
    stage,
    contract,
    file: { name: file, rows: table.size, total: table.total, sha256: table.digest() },
    plan: planJson(plan),
    l1: l1StageJson(l1),
  };
}
