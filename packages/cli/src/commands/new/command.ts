import { Argument, type Command } from "commander";
import type { Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { withOutputOptions } from "../../options/commandOptions.ts";

/** Adds `new`. */
export function addNew(command: Command, context: Context): void {
  withOutputOptions(command)
    .addArgument(new Argument("<vm>", "the rollup's VM").choices(vms))
    .argument("<folder>", "a new or empty folder")
    .addHelpText(
      "after",
      `
Needs the package @vipscore/contracts-evm, @vipscore/contracts-wasm or @vipscore/contracts-move, installed next to vipscore.

Examples:
  $ vipscore new evm game
  $ npx -p @vipscore/cli -p @vipscore/contracts-wasm vipscore new wasm game`,
    )
    .action(async (vm: Vm, folder: string) => (await import("./run.ts")).copyExample(context, vm, folder));
}
