import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  bridgeIdOption,
  manifestOption,
  namedConfigHelp,
  namedConfigOnly,
  parseStage,
  stageOption,
  withConnectionOptions,
  withL1Options,
} from "../../options/commandOptions.ts";
import type { ReportFlags } from "./run.ts";

/** Adds `report`. */
export function addReport(command: Command, context: Context): void {
  withL1Options(withConnectionOptions(command))
    .addOption(stageOption())
    .option("--previous <n>", "an earlier stage to compare with", parseStage)
    .option("--plan <file>", "what push --json printed, to list its transactions")
    .addOption(manifestOption("shows policy, sources and digests, if the stage holds them"))
    .addOption(bridgeIdOption())
    .option("--out <file>", "the new file (default: report-<stage>.html)")
    .addHelpText(
      "after",
      `${namedConfigHelp}\nExample:\n  $ vipscore report --stage 12 --previous 11 --out report.html`,
    )
    .action(async (flags: ReportFlags) => (await import("./run.ts")).writeReport(context, namedConfigOnly(flags)));
}
