import { Option, type Command } from "commander";
import type { PolicyExample } from "@vipscore/policy";
import type { Context } from "../../../context.ts";
import { withOutputOptions, withPackage } from "../../../options/commandOptions.ts";
import { vms } from "../../../rollup/rollups.ts";
import type { NewFlags } from "./run.ts";

/** The names of the example policies; the package that has them is large, and only loaded to write one. */
const examples: readonly PolicyExample[] = ["nft-holders", "game", "lending", "volume"];

/** Adds `score new`. */
export function addScoreNew(score: Command, context: Context): void {
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
    .action(async (folder: string, flags: NewFlags) => (await import("./run.ts")).writeExample(context, folder, flags));
}
