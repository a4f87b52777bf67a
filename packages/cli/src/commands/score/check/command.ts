import type { Command } from "commander";
import type { Context } from "../../../context.ts";
import { stageOption, withPolicyOptions } from "../../../options/commandOptions.ts";
import type { CheckFlags } from "./run.ts";

/** Adds `score check`. */
export function addScoreCheck(score: Command, context: Context): void {
  withPolicyOptions(score.command("check"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("run a policy and list what VIP's rules forbid, and what costs other accounts; writes no scores")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore score check policies/season1 --stage 12")
    .action(async (folder: string, flags: CheckFlags) =>
      (await import("./run.ts")).checkPolicy(context, folder, flags),
    );
}
