import { formatChecksummed, InputError } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { connect, openContract } from "../../contract/connect.ts";
import { reportNothingToDo, sendCall } from "../../contract/sendCall.ts";
import { parseAccountArgument } from "../../options/commandOptions.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";

/** Lists the members: `members list`. */
export async function listMembers(context: Context, flags: ConnectionFlags): Promise<void> {
  const { io, output } = context;
  const contract = await openContract(context, flags, "none");
  const members = await contract.getMembers({ signal: io.signal });
  if (members === undefined) output.print("a reference contract cannot list its members");
  else output.print(members.map(formatChecksummed).join("\n"));
  output.json({ command: "members list", contract: contract.identity, members: members ?? null });
}

/** Adds or removes a member: `members add`, `members remove`. */
export async function changeMember(
  context: Context,
  kind: "addMember" | "removeMember",
  address: string,
  flags: ConnectionFlags,
): Promise<void> {
  const { io } = context;
  const { signal } = io;
  const settings = await readSettings(context, flags);
  const account = parseAccountArgument(address, settings.vm);
  const contract = await connect(context, settings, flags, "required");
  const command = kind === "addMember" ? "members add" : "members remove";
  const report = { command, contract: contract.identity, account };
  const shown = formatChecksummed(account);
  const isMember = await contract.isMember(account, { signal });
  if (isMember === (kind === "addMember")) {
    reportNothingToDo(context, `${shown} is ${isMember ? "already a member" : "not a member"}`, report);
    return;
  }
  const done = `${kind === "addMember" ? "added" : "removed"} ${shown}`;
  await sendCall(context, contract, { call: { kind, account }, done, report }, flags);
}

/** Replaces all members: `members set`. */
export async function setMembers(
  context: Context,
  addresses: readonly string[],
  flags: ConnectionFlags,
): Promise<void> {
  const settings = await readSettings(context, flags);
  const accounts = [...new Set(addresses.map((address) => parseAccountArgument(address, settings.vm)))];
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "members set", contract: contract.identity, members: accounts };
  const done = `the only members are now ${accounts.map(formatChecksummed).join(", ")}`;
  await sendCall(context, contract, { call: { kind: "setMembers", accounts }, done, report }, flags);
}

/** Sets who may finalize: `members finalizer`. */
export async function nameFinalizer(context: Context, address: string, flags: ConnectionFlags): Promise<void> {
  const { io, output } = context;
  const { signal } = io;
  const settings = await readSettings(context, flags);
  const account = address === "any" ? undefined : parseAccountArgument(address, settings.vm);
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "members finalizer", contract: contract.identity, finalizer: account ?? null };
  const control = await contract.getControl({ signal });
  const who = account === undefined ? "every member can finalize" : `only ${formatChecksummed(account)} can finalize`;
  if (control !== undefined && control.finalizer === account) {
    reportNothingToDo(context, who, report);
    return;
  }
  await sendCall(context, contract, { call: { kind: "setFinalizer", account }, done: who, report }, flags);
  if (account !== undefined && account !== contract.signer) {
    output.note("push scores with a member's key and finalize stages with the finalizer's key");
  }
}

/** Sets who manages members: `members manage`. */
export async function setManagement(context: Context, word: string, flags: ConnectionFlags): Promise<void> {
  const { io } = context;
  const { signal } = io;
  if (word !== "on" && word !== "off") throw new InputError(`members manage: "${word}" is neither on nor off`);
  const allowed = word === "on";
  const settings = await readSettings(context, flags);
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "members manage", contract: contract.identity, allowed };
  const control = await contract.getControl({ signal });
  const others = rollups[settings.vm].otherManagers === "publisher" ? "the module's publisher" : "members";
  const who = allowed ? `the owner and ${others} manage members` : "only the owner manages members";
  if (control?.othersManage === allowed) {
    reportNothingToDo(context, who, report);
    return;
  }
  await sendCall(context, contract, { call: { kind: "setManagement", allowed }, done: who, report }, flags);
}
