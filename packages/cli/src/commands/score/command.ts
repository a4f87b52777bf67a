import { Option, type Command } from "commander";
import { vms } from "@vipscore/core/values";
import type { PolicyExample } from "@vipscore/policy";
import type { Context } from "../../context.ts";
import {
  stageOption,
  withKeyOption,
  withOutputOptions,
  withPackage,
  withPolicyOptions,
  withSourceOptions,
} from "../../options/commandOptions.ts";
import type { CheckFlags } from "./check/run.ts";
import type { DataFlags } from "./data/run.ts";
import type { NewFlags } from "./new/run.ts";
import type { RunFlags } from "./run/run.ts";

/** Adds `score` with its subcommands. */
export function addScore(score: Command, context: Context): void {
  addScoreNew(score, context);
  addScoreRun(score, context);
  addScoreCheck(score, context);
  addScoreData(score, context);
}

/** The names of the example policies; the package that has them is large, and only loaded to write one. */
const examples: readonly PolicyExample[] = ["nft-holders", "game", "lending", "volume"];

/** Adds `score new`. */
function addScoreNew(score: Command, context: Context): void {
  withPackage(withOutputOptions(score.command("new")), "@vipscore/policy")
    .argument("<folder>", "the new folder of the policy")
    .description("start a policy from an example: NFT holders over time, a game, lending, or volume with a cap")
    .addOption(new Option("--example <name>", "the policy to start from").choices(examples).makeOptionMandatory())
    .addOption(new Option("--vm <vm>", "the rollup's VM").choices(vms).makeOptionMandatory())
    .requiredOption("--chain-id <id>", "the rollup's chain ID; on EVM the number that eth_chainId answers")
    .requiredOption("--contract <address>", "the contract that emits the events, or the NFT collection")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore score new policies/season1 --example volume --vm evm --chain-id 1234 --contract 0x1d8e31d5071bb4072fffc05b792685dcc5085bde",
    )
    .action(async (folder: string, flags: NewFlags) =>
      (await import("./new/run.ts")).writeExample(context, folder, flags),
    );
}

/** Adds `score run`. */
function addScoreRun(score: Command, context: Context): void {
  withKeyOption(withPolicyOptions(score.command("run")))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("write a CSV for `push` from a scoring policy: sources and one SQL query")
    .addOption(stageOption())
    .addOption(new Option("--out <file>", "new file for the scores").makeOptionMandatory())
    .option("--sign", "sign the manifest with the key of PRIVATE_KEY, MNEMONIC or --keystore, as an Ethereum message")
    .addHelpText(
      "after",
      "\nThe query runs over the rows in two orders, or three if an ORDER BY decides, and all runs must give the same scores.\n\nExample:\n  $ vipscore score run policies/season1 --stage 12 --out scores12.csv",
    )
    .action(async (folder: string, flags: RunFlags) =>
      (await import("./run/run.ts")).writePolicyScores(context, folder, flags),
    );
}

/** Adds `score check`. */
function addScoreCheck(score: Command, context: Context): void {
  withPolicyOptions(score.command("check"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("run a policy and list what VIP's rules forbid, and what costs other accounts; writes no scores")
    .addOption(stageOption())
    .option("--portable", "also list what Spark and ClickHouse may read differently in the query")
    .addHelpText("after", "\nExample:\n  $ vipscore score check policies/season1 --stage 12")
    .action(async (folder: string, flags: CheckFlags) =>
      (await import("./check/run.ts")).checkPolicy(context, folder, flags),
    );
}

/** Adds `score data`. */
function addScoreData(score: Command, context: Context): void {
  withSourceOptions(score.command("data"))
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("print the stored rows of a policy's sources as views for DuckDB, Spark and ClickHouse")
    .addOption(stageOption())
    .addHelpText(
      "after",
      "\nReads what is not stored yet. The output is SQL; a warning names what other engines may read differently in the query.\n\nExample:\n  $ vipscore score data policies/season1 --stage 12",
    )
    .action(async (folder: string, flags: DataFlags) =>
      (await import("./data/run.ts")).describeData(context, folder, flags),
    );
}
