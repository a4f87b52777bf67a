import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { withConnectionOptions, withUnsignedOptions } from "../../options/commandOptions.ts";
import type { ConnectionFlags } from "../../settings/readSettings.ts";

/** Adds `owner offer` and `owner accept`. */
export function addOwner(owner: Command, context: Context): void {
  withUnsignedOptions(withConnectionOptions(owner.command("offer <address>")))
    .description("offer ownership to an account; nothing changes until it accepts, and a later offer replaces this one")
    .addHelpText(
      "after",
      "\nTo withdraw an offer, offer ownership to the current owner.\n\nExample:\n  $ vipscore owner offer 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B",
    )
    .action(async (address: string, flags: ConnectionFlags) =>
      (await import("./run.ts")).offerOwnership(context, address, flags),
    );
  withUnsignedOptions(withConnectionOptions(owner.command("accept")))
    .description("accept ownership that was offered to the signer")
    .addHelpText("after", "\nExample:\n  $ vipscore owner accept --keystore new-owner.json")
    .action(async (flags: ConnectionFlags) => (await import("./run.ts")).acceptOwnership(context, flags));
}
