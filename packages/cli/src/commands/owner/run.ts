import { formatChecksummed } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { connect, openContract } from "../../contract/connect.ts";
import { reportNothingToDo, sendCall } from "../../contract/sendCall.ts";
import { parseAccountArgument } from "../../options/commandOptions.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";

/** Offers ownership to an account: `owner offer`. */
export async function offerOwnership(context: Context, address: string, flags: ConnectionFlags): Promise<void> {
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

/** Accepts an offer of ownership: `owner accept`. */
export async function acceptOwnership(context: Context, flags: ConnectionFlags): Promise<void> {
  const { io } = context;
  const contract = await openContract(context, flags, "required");
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
