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
export function addDoctor(program: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(program.command("doctor"))))
    .description("check the rollup, the contract and L1, and list what must be done before the next stage ends")
    .addOption(bridgeIdOption("asks the rollup"))
    .addOption(rollupRestUrlOption())
    .addOption(rpcUrlOption())
    .addHelpText("after", "\nExample:\n  $ vipscore doctor")
    .action(async (flags: DoctorFlags) => (await import("./run.ts")).runDoctor(context, flags));
}
