import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { withIndexerOptions, withUnreadableOption } from "../../nft/indexerOptions.ts";
import { withOutputOptions, withRollupOptions } from "../../options/commandOptions.ts";
import { addScoreCheck } from "./check/command.ts";
import type { HoldersFlags } from "./holders/run.ts";
import { addScoreNew } from "./new/command.ts";
import { addScoreRun } from "./run/command.ts";

/** Adds `score` with its subcommands. */
export function addScore(program: Command, context: Context): void {
  const score = program.command("score").description("compute the scores of a stage");
  withUnreadableOption(withRollupOptions(withIndexerOptions(withOutputOptions(score.command("holders")))))
    .description("write a CSV for `push` from the holders of NFT collections, each read as of one height")
    .addOption(new Option("--collection <address...>", "collections whose holders get a score").makeOptionMandatory())
    .option("--weight <n...>", "points per token: one value, or one per collection (default: 1)")
    .option("--out <file>", "write to a new file instead of stdout")
    .option("--without-contracts", "leave out holders that are contracts or objects")
    .addHelpText(
      "after",
      "\nIf the rollup's endpoint is known, checks that the indexer serves that rollup and is less than 60 s behind it.\nOn EVM the endpoint also shows which holders are contracts.\n\nExample:\n  $ vipscore score holders --collection 0x1d8e31d5071bb4072fffc05b792685dcc5085bde --weight 10 --out scores.csv",
    )
    .action(async (flags: HoldersFlags) => (await import("./holders/run.ts")).writeHolderScores(context, flags));
  addScoreNew(score, context);
  addScoreRun(score, context);
  addScoreCheck(score, context);
}
