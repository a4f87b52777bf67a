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
export function addSnapshot(program: Command, context: Context): void {
  withSecondEndpoint(withL1Options(withConnectionOptions(program.command("snapshot"))))
    .description("compute the Merkle root of a stage's scores, compare it with L1's snapshot, write proofs")
    .addOption(stageOption())
    .addOption(bridgeIdOption())
    .option("--out <file>", "write the proofs to a new JSON file")
    .option("--proof <address...>", "accounts to prove (default: all that have a score)")
    .addOption(manifestOption("checks that the stage holds them, and records the root and the bridge ID"))
    .addHelpText("after", "\nExample:\n  $ vipscore snapshot --stage 12 --out proofs12.json")
    .action(async (flags: SnapshotFlags) => (await import("./run.ts")).takeSnapshot(context, flags));
}
