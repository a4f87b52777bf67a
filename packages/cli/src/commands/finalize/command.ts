import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withTableOptions,
  withUnsignedOptions,
} from "../../options/commandOptions.ts";
import type { FinalizeFlags } from "./prepare.ts";

/** Adds `finalize`. */
export function addFinalize(program: Command, context: Context): void {
  withL1Options(withUnsignedOptions(withConnectionOptions(withTableOptions(program.command("finalize")))))
    .description("close a stage permanently, after verifying that the chain holds exactly the file")
    .addOption(stageOption())
    .requiredOption("--file <file>", "the scores that the stage must hold")
    .option("--early", "finalize even though the stage is still active on L1; the rest of it can then never be scored")
    .option("--yes", "do not ask for confirmation; required without a terminal")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .addOption(manifestOption("checks that they are the same, and records the transaction"))
    .addHelpText("after", "\nExample:\n  $ vipscore finalize --stage 12 --file scores.csv")
    .action(async (flags: FinalizeFlags) => (await import("./run.ts")).finalizeFile(context, flags));
}
