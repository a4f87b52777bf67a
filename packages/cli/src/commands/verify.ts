import type { Command } from "commander";
import { stageOption, withConnectionOptions, withTableOptions } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import type { VerifyFlags } from "./verifyFile.ts";

/** Adds `verify`. */
export function addVerify(program: Command, context: Context): void {
  withConnectionOptions(withTableOptions(program.command("verify <file>")))
    .description("compare every score and the total of a stage with a file, at one height")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore verify scores.csv --stage 12")
    .action(async (path: string, flags: VerifyFlags) =>
      (await import("./verifyFile.ts")).verifyFile(context, path, flags),
    );
}
