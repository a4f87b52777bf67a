import type { Command } from "commander";
import { InputError, VipError, type ScoreContract } from "@vipscore/core";
import type { Context } from "../context.ts";
import { connect, openContract } from "../contract/connect.ts";
import { reportNothingToDo, sendCall } from "../contract/sendCall.ts";
import { parseAccountArgument, withConnectionOptions, withUnsignedOptions } from "../options.ts";
import { shownAccount } from "../output/contractText.ts";
import { rollups } from "../rollup/rollups.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

export function addMembers(members: Command, context: Context): void {
  withConnectionOptions(members.command("list"))
    .description("list the accounts that may write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members list")
    .action((flags: ConnectionFlags) => listMembers(context, flags));
  withUnsignedOptions(withConnectionOptions(members.command("add <address>")))
    .description("let another account write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members add 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((address: string, flags: ConnectionFlags) => changeMember(context, "addMember", address, flags));
  withUnsignedOptions(withConnectionOptions(members.command("remove <address>")))
    .description("remove a member; the last one cannot be removed")
    .addHelpText("after", "\nExample:\n  $ vipscore members remove 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((address: string, flags: ConnectionFlags) => changeMember(context, "removeMember", address, flags));
  withUnsignedOptions(withConnectionOptions(members.command("set <address...>")))
    .description("replace all members by these accounts, however many there are (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members set 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((addresses: readonly string[], flags: ConnectionFlags) => setMembers(context, addresses, flags));
  withUnsignedOptions(withConnectionOptions(members.command("finalizer <address>")))
    .description("name the only account that may finalize stages, or `any` for every member (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members finalizer 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((address: string, flags: ConnectionFlags) => nameFinalizer(context, address, flags));
  withUnsignedOptions(withConnectionOptions(members.command("manage <on|off>")))
    .description("choose whether members (on Move, the publisher) may add and remove members (owner only)")
    .addHelpText("after", "\nExample:\n  $ vipscore members manage off")
    .action((allowed: string, flags: ConnectionFlags) => setManagement(context, allowed, flags));
}

async function listMembers(context: Context, flags: ConnectionFlags): Promise<void> {
  const { output } = context;
  const contract = await openContract(context, flags, "none");
  const members = await contract.getMembers({ signal: context.signal });
  if (members === undefined) output.print("a reference contract cannot list its members");
  else output.print(members.map((account) => shownAccount(account, contract.identity.vm)).join("\n"));
  output.json({ command: "members list", contract: contract.identity, members: members ?? null });
}

/** Parses an account before anything is asked of the contract. */
async function openFor(context: Context, address: string, flags: ConnectionFlags) {
  const settings = await readSettings(context, flags);
  const account = parseAccountArgument(address, settings.vm);
  return { account, contract: await connect(context, settings, flags, "required") };
}

async function changeMember(
  context: Context,
  kind: "addMember" | "removeMember",
  address: string,
  flags: ConnectionFlags,
): Promise<void> {
  const { contract, account } = await openFor(context, address, flags);
  const command = kind === "addMember" ? "members add" : "members remove";
  const report = { command, contract: contract.identity, account };
  const shown = shownAccount(account, contract.identity.vm);
  const isMember = await contract.isMember(account, { signal: context.signal });
  if (isMember === (kind === "addMember"))
    return reportNothingToDo(context, `${shown} is ${isMember ? "already a member" : "not a member"}`, report);
  if (kind === "removeMember") await refuseLast(contract, shown, context.signal);
  const done = `${kind === "addMember" ? "added" : "removed"} ${shown}`;
  await sendCall(context, contract, { call: { kind, account }, done, report }, flags);
}

/** @throws VipError `LAST_MEMBER` where the contract would refuse for a fee: all but those whose publisher can add another. */
async function refuseLast(contract: ScoreContract, shown: string, signal: AbortSignal): Promise<void> {
  if (
    rollups[contract.identity.vm].otherManagers === "publisher" ||
    (await contract.getMembers({ signal }))?.length !== 1
  )
    return;
  throw new VipError(`${shown} is the last member of ${contract.identity.address}: the contract keeps at least one`, {
    code: "LAST_MEMBER",
    metaMessages: ["Add another first: vipscore members add <address>. Nothing was sent."],
  });
}

async function setMembers(context: Context, addresses: readonly string[], flags: ConnectionFlags): Promise<void> {
  const settings = await readSettings(context, flags);
  const accounts = [...new Set(addresses.map((address) => parseAccountArgument(address, settings.vm)))];
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "members set", contract: contract.identity, members: accounts };
  const done = `the only members are now ${accounts.map((account) => shownAccount(account, settings.vm)).join(", ")}`;
  await sendCall(context, contract, { call: { kind: "setMembers", accounts }, done, report }, flags);
}

async function nameFinalizer(context: Context, address: string, flags: ConnectionFlags): Promise<void> {
  const { output } = context;
  const settings = await readSettings(context, flags);
  const account = address === "any" ? undefined : parseAccountArgument(address, settings.vm);
  const contract = await connect(context, settings, flags, "required");
  const report = { command: "members finalizer", contract: contract.identity, finalizer: account ?? null };
  const control = await contract.getControl({ signal: context.signal });
  const who =
    account === undefined ? "every member can finalize" : `only ${shownAccount(account, settings.vm)} can finalize`;
  if (control !== undefined && control.finalizer === account) return reportNothingToDo(context, who, report);
  await sendCall(context, contract, { call: { kind: "setFinalizer", account }, done: who, report }, flags);
  if (account !== undefined && account !== contract.signer) {
    output.note("push scores with a member's key and finalize stages with the finalizer's key");
  }
}

async function setManagement(context: Context, word: string, flags: ConnectionFlags): Promise<void> {
  if (word !== "on" && word !== "off") throw new InputError(`members manage: "${word}" is neither on nor off`);
  const allowed = word === "on";
  const contract = await openContract(context, flags, "required");
  const report = { command: "members manage", contract: contract.identity, allowed };
  const control = await contract.getControl({ signal: context.signal });
  const others = rollups[contract.identity.vm].otherManagers === "publisher" ? "the module's publisher" : "members";
  const who = allowed ? `the owner and ${others} manage members` : "only the owner manages members";
  if (control?.othersManage === allowed) return reportNothingToDo(context, who, report);
  await sendCall(context, contract, { call: { kind: "setManagement", allowed }, done: who, report }, flags);
}

export function addOwner(owner: Command, context: Context): void {
  withUnsignedOptions(withConnectionOptions(owner.command("offer <address>")))
    .description("offer ownership to an account; nothing changes until it accepts, and a later offer replaces this one")
    .addHelpText(
      "after",
      "\nTo withdraw an offer, offer ownership to the current owner.\n\nExample:\n  $ vipscore owner offer 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B",
    )
    .action((address: string, flags: ConnectionFlags) => offerOwnership(context, address, flags));
  withUnsignedOptions(withConnectionOptions(owner.command("accept")))
    .description("accept ownership that was offered to the signer")
    .addHelpText("after", "\nExample:\n  $ vipscore owner accept --keystore new-owner.json")
    .action((flags: ConnectionFlags) => acceptOwnership(context, flags));
}

async function offerOwnership(context: Context, address: string, flags: ConnectionFlags): Promise<void> {
  const { contract, account } = await openFor(context, address, flags);
  const report = { command: "owner offer", contract: contract.identity, account };
  const shown = shownAccount(account, contract.identity.vm);
  const control = await contract.getControl({ signal: context.signal });
  if (control?.pendingOwner === account)
    return reportNothingToDo(context, `ownership is already offered to ${shown}`, report);
  const done = `ownership is offered to ${shown}, which accepts it with \`vipscore owner accept\``;
  await sendCall(context, contract, { call: { kind: "offerOwnership", account }, done, report }, flags);
}

async function acceptOwnership(context: Context, flags: ConnectionFlags): Promise<void> {
  const contract = await openContract(context, flags, "required");
  const { identity, signer } = contract;
  const report = { command: "owner accept", contract: identity, account: signer ?? null };
  const shown = signer === undefined ? "the signer" : shownAccount(signer, identity.vm);
  const control = await contract.getControl({ signal: context.signal });
  if (control?.owner === signer && control?.pendingOwner === undefined)
    return reportNothingToDo(context, `${shown} is the owner`, report);
  await sendCall(
    context,
    contract,
    { call: { kind: "acceptOwnership" }, done: `${shown} is the owner`, report },
    flags,
  );
}
