import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { withConnectionOptions, withUnsignedOptions } from "../../options/commandOptions.ts";
import type { ConnectionFlags } from "../../settings/readSettings.ts";

/** Adds `members list`, `add`, `remove`, `set`, `finalizer` and `manage`. */
export function addMembers(members: Command, context: Context): void {
  withConnectionOptions(members.command("list"))
    .description("list the accounts that may write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members list")
    .action(async (flags: ConnectionFlags) => (await import("./run.ts")).listMembers(context, flags));
  withUnsignedOptions(withConnectionOptions(members.command("add <address>")))
    .description("let another account write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members add 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action(async (address: string, flags: ConnectionFlags) =>
      (await import("./run.ts")).changeMember(context, "addMember", address, flags),
    );
  withUnsignedOptions(withConnectionOptions(members.command("remove <address>")))
    .description("remove a member; the last one cannot be removed")
    .addHelpText("after", "\nExample:\n  $ vipscore members remove 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action(async (address: string, flags: ConnectionFlags) =>
      (await import("./run.ts")).changeMember(context, "removeMember", address, flags),
    );
  withUnsignedOptions(withConnectionOptions(members.command("set <address...>")))
    .description("replace all members by these accounts, however many there are (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members set 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action(async (addresses: readonly string[], flags: ConnectionFlags) =>
      (await import("./run.ts")).setMembers(context, addresses, flags),
    );
  withUnsignedOptions(withConnectionOptions(members.command("finalizer <address>")))
    .description("name the only account that may finalize stages, or `any` for every member (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members finalizer 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action(async (address: string, flags: ConnectionFlags) =>
      (await import("./run.ts")).nameFinalizer(context, address, flags),
    );
  withUnsignedOptions(withConnectionOptions(members.command("manage <on|off>")))
    .description("choose whether members (on Move, the publisher) may add and remove members (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members manage off")
    .action(async (allowed: string, flags: ConnectionFlags) =>
      (await import("./run.ts")).setManagement(context, allowed, flags),
    );
}
