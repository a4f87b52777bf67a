import { Option, type Command } from "commander";
import type { Context } from "../../../context.ts";
import { stageOption, withKeyOption, withPolicyOptions } from "../../../options/commandOptions.ts";
import type { RunFlags } from "./run.ts";

/** Adds `score run`. */
export function addScoreRun(score: Command, context: Context): void {
  withKeyOption(withPolicyOptions(score.command("run")))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("write a CSV for `push` from a scoring policy: sources and one SQL query")
    .addOption(stageOption())
    .addOption(new Option("--out <file>", "new file for the scores").makeOptionMandatory())
    .option("--sign", "sign the manifest with the key of PRIVATE_KEY, MNEMONIC or --keystore, as an Ethereum message")
    .addHelpText(
      "after",
      "\nThe query runs twice, over the rows in two orders, and both runs must give the same scores.\n\nExample:\n  $ vipscore score run policies/season1 --stage 12 --out scores12.csv",
    )
    .action(async (folder: string, flags: RunFlags) =>
      (await import("./run.ts")).writePolicyScores(context, folder, flags),
    );
}
