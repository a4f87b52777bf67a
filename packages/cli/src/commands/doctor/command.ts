import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  bridgeIdOption,
  rollupRestUrlOption,
  rpcUrlOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
} from "../../options/commandOptions.ts";
import type { DoctorFlags } from "./run.ts";

/** Adds `doctor`. */
export function addDoctor(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(command)))
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .addOption(rpcUrlOption())
    .addHelpText("after", "\nExample:\n  $ vipscore doctor")
    .action(async (flags: DoctorFlags) => (await import("./run.ts")).runDoctor(context, flags));
}
