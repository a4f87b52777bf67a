import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { configOption, withL1Options, withOutputOptions } from "../../options/commandOptions.ts";
import type { L1CommandFlags } from "../../settings/l1Settings.ts";

/** Adds `stage`. */
export function addStage(command: Command, context: Context): void {
  withL1Options(withOutputOptions(command))
    .addOption(configOption())
    .addHelpText("after", "\nExample:\n  $ vipscore stage --l1-rest-url https://rest.initia.xyz")
    .action(async (flags: L1CommandFlags) => (await import("./run.ts")).showStage(context, flags));
}
