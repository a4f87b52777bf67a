import type { Command } from "commander";
import { formatChecksummed } from "@vipscore/core";
import { parseAccountArgument, withConnectionOptions, withUnsignedOptions } from "../commandOptions.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { reportNothingToDo, sendCall } from "../sendCall.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

/** Adds `owner offer` and `owner accept`. */
export function addOwner(program: Command, context: Context): void {
  const owner = program
    .command("owner")
    .description("transfer ownership: the owner offers it, the new owner accepts it");
  withUnsignedOptions(withConnectionOptions(owner.command("offer <address>")))
    .description("offer ownership to an account; nothing changes until it accepts, and a later offer replaces this one")
    .addHelpText(
      "after",
      "\nTo withdraw an offer, offer ownership to the current owner.\n\nExample:\n  $ vipscore owner offer 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B",
    )
    .action((address: string, flags: ConnectionFlags) => offer(context, address, flags));
  withUnsignedOptions(withConnectionOptions(owner.command("accept")))
    .description("accept ownership that was offered to the signer")
    .addHelpText("after", "\nExample:\n  $ vipscore owner accept --keystore new-owner.json")
    .action((flags: ConnectionFlags) => accept(context, flags));
}

async function offer(context: Context, address: string, flags: ConnectionFlags): Promise<void> {
  const { io } = context;
  const settings = await readSettings(context, flags);
  const account = parseAccountArgument(address, settings.vm);
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "owner offer", contract: contract.identity, account };
  const shown = formatChecksummed(account);
  const control = await contract.getControl({ signal: io.signal });
  if (control?.pendingOwner === account) {
    reportNothingToDo(context, `ownership is already offered to ${shown}`, report);
    return;
  }
  const done = `ownership is offered to ${shown}, which accepts it with \`vipscore owner accept\``;
  await sendCall(context, contract, { call: { kind: "offerOwnership", account }, done, report }, flags);
}

async function accept(context: Context, flags: ConnectionFlags): Promise<void> {
  const { io } = context;
  const contract = await connect(context, await readSettings(context, flags), flags, "required");
  const { identity, signer } = contract;
  const report = { command: "owner accept", contract: identity, account: signer ?? null };
  const shown = signer === undefined ? "the signer" : formatChecksummed(signer);
  const control = await contract.getControl({ signal: io.signal });
  if (control?.owner === signer && control?.pendingOwner === undefined) {
    reportNothingToDo(context, `${shown} is the owner`, report);
    return;
  }
  await sendCall(
    context,
    contract,
    { call: { kind: "acceptOwnership" }, done: `${shown} is the owner`, report },
    flags,
  );
}
