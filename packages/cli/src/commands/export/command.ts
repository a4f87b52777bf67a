import { Option, type Command } from "commander";
import type { Context } from "../../context.ts";
import { stageOption, withConnectionOptions } from "../../options/commandOptions.ts";
import type { ExportFlags } from "./run.ts";

/** Adds `export`. */
export function addExport(command: Command, context: Context): void {
  withConnectionOptions(command)
    .addOption(stageOption())
    .option("--out <file>", "write to a new file instead of stdout")
    .addOption(new Option("--address-form <form>", "address format").choices(["hex", "bech32"]).default("hex"))
    .addHelpText("after", "\nExample:\n  $ vipscore export --stage 12 --out stage12.csv")
    .action(async (flags: ExportFlags) => (await import("./run.ts")).exportStage(context, flags));
}
