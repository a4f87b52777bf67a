import type { Command } from "commander";
import type { Context } from "../../context.ts";

/** Adds `demo`. */
export function addDemo(command: Command, context: Context): void {
  command
    .usage("[options]")
    .argument("[arguments...]", "options of the demo, such as --vm move; after --, also --help")
    .allowUnknownOption()
    .addHelpText(
      "after",
      `
Runs the program of the package @vipscore/demo. If it is not installed, npm runs it from the registry, and asks before it
downloads. The program does not receive keys, passwords or tokens of the environment.

Examples:
  $ vipscore demo
  $ vipscore demo --vm move
  $ vipscore demo -- --help`,
    )
    .action(async (args: readonly string[]) => (await import("./run.ts")).runDemo(context, args));
}
