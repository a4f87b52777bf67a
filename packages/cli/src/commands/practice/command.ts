import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { withConnectionOptions, withOutputOptions } from "../../options/commandOptions.ts";
import type { ConnectionFlags } from "../../settings/readSettings.ts";

/** Adds `practice stage`, `practice snapshot`, `practice period` and `practice send`. */
export function addPractice(practice: Command, context: Context): void {
  withOutputOptions(practice.command("stage"))
    .description("end L1's stage, whatever the time is, as VIP's agent does when it is over")
    .addHelpText("after", "\nExample:\n  $ vipscore practice stage")
    .action(async () => (await import("./run.ts")).endStage(context));
  withConnectionOptions(practice.command("snapshot"))
    .description("submit the snapshots of the finalized stages that L1 waits for, as VIP's agent does")
    .addHelpText("after", "\nExample:\n  $ vipscore practice snapshot")
    .action(async (flags: ConnectionFlags) => (await import("./run.ts")).submitSnapshots(context, flags));
  withOutputOptions(practice.command("period"))
    .description("end the challenge periods, so that L1 takes claims")
    .addHelpText("after", "\nExample:\n  $ vipscore practice period")
    .action(async () => (await import("./run.ts")).endPeriods(context));
  withOutputOptions(practice.command("send <file>"))
    .description("send a signed transaction to L1, as `initiad tx broadcast` does")
    .addHelpText("after", "\nExample:\n  $ vipscore practice send register.json")
    .action(async (file: string) => (await import("./run.ts")).sendFile(context, file));
}
