import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { parseStage, withConnectionOptions, withKeyOption } from "../../options/commandOptions.ts";
import type { StatusFlags } from "./run.ts";

/** Adds `status`. */
export function addStatus(command: Command, context: Context): void {
  withKeyOption(withConnectionOptions(command))
    .addOption(new Option("--stage <n>", "show this stage instead of the newest ones").argParser(parseStage))
    .addHelpText("after", "\nExample:\n  $ vipscore status")
    .action(async (flags: StatusFlags) => (await import("./run.ts")).showStatus(context, flags));
}
