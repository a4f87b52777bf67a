import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSignerOptions,
  withTableOptions,
} from "../../options/commandOptions.ts";
import type { PushFlags } from "./run.ts";

/** Adds `push`. */
export function addPush(command: Command, context: Context): void {
  withL1Options(withSignerOptions(withConnectionOptions(withTableOptions(command))))
    .argument("<file>")
    .addOption(stageOption())
    .option("--dry-run", "print the plan; send nothing")
    .option("--prune", "set accounts missing from the file to 0")
    .option("--packed", "use the cheaper entry point: one event per batch instead of one per score")
    .option("--others-write", "succeed although others write to the stage too; their next write may change it again")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .addOption(manifestOption("checks that they are the same, and records the contract and transactions"))
    .addHelpText(
      "after",
      `
Sends only what differs from the chain, so you can run it again at any time, also after a crash.
As <file>, - reads standard input.

Examples:
  $ vipscore push scores.csv --stage 12 --dry-run
  $ vipscore push scores.csv --stage 12
  $ vipscore push points.json --stage 12 --scale 2 --prune
  $ psql --csv -c "select address, score from points" | vipscore push - --stage 12`,
    )
    .action(async (path: string, flags: PushFlags) => (await import("./run.ts")).pushFile(context, path, flags));
}
