import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  stageOption,
  withConnectionOptions,
  withSecondEndpoint,
  withTableOptions,
} from "../../options/commandOptions.ts";
import type { VerifyFlags } from "./run.ts";

/** Adds `verify`. */
export function addVerify(program: Command, context: Context): void {
  withSecondEndpoint(withConnectionOptions(withTableOptions(program.command("verify <file>"))))
    .description("compare every score and the total of a stage with a file, at one height")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore verify scores.csv --stage 12")
    .action(async (path: string, flags: VerifyFlags) => (await import("./run.ts")).verifyFile(context, path, flags));
}
