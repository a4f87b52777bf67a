import type { Command } from "commander";
import type { Context } from "../../context.ts";
import {
  bridgeIdOption,
  manifestOption,
  stageOption,
  withConnectionOptions,
  withL1Options,
  withSecondEndpoint,
} from "../../options/commandOptions.ts";
import type { SnapshotFlags } from "./run.ts";

/** Adds `snapshot`. */
export function addSnapshot(command: Command, context: Context): void {
  withSecondEndpoint(withL1Options(withConnectionOptions(command)))
    .addOption(stageOption())
    .addOption(bridgeIdOption())
    .option("--out <file>", "write the proofs to a new JSON file")
    .option("--proof <address...>", "accounts to prove (default: all that have a score)")
    .addOption(manifestOption("checks that the stage holds them, and records the root and the bridge ID"))
    .addHelpText("after", "\nExample:\n  $ vipscore snapshot --stage 12 --out proofs12.json")
    .action(async (flags: SnapshotFlags) => (await import("./run.ts")).takeSnapshot(context, flags));
}
