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
export function addVerify(command: Command, context: Context): void {
  withSecondEndpoint(withConnectionOptions(withTableOptions(command)))
    .argument("<file>")
    .addOption(stageOption())
    .addHelpText("after", "\nExample:\n  $ vipscore verify scores.csv --stage 12")
    .action(async (path: string, flags: VerifyFlags) => (await import("./run.ts")).verifyFile(context, path, flags));
}
