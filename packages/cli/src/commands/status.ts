import { Option, type Command } from "commander";
import { parseStage, withConnectionOptions, withKeyOption } from "../commandOptions.ts";
import type { Context } from "../context.ts";
import type { StatusFlags } from "./showStatus.ts";

/** Adds `status`. */
export function addStatus(program: Command, context: Context): void {
  withKeyOption(withConnectionOptions(program.command("status")))
    .description("show the contract, its stages and members, who can change what, and what the signer may do")
    .addOption(new Option("--stage <n>", "show this stage instead of the newest ones").argParser(parseStage))
    .addHelpText("after", "\nExample:\n  $ vipscore status")
    .action(async (flags: StatusFlags) => (await import("./showStatus.ts")).showStatus(context, flags));
}
