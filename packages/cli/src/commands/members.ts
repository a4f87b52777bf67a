import {
  callContract,
  CheckError,
  checkManager,
  formatChecksummed,
  type Account,
  type ContractCall,
  type ScoreContract,
} from "@vipscore/core";
import type { Command } from "commander";
import { parseAccountArgument, withConnectionOptions, withKeyOption } from "../commandOptions.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { group } from "../output/numbers.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

/** Adds `members list`, `members add` and `members remove`. */
export function addMembers(program: Command, context: Context): void {
  const members = program.command("members").description("list and change who may write scores");
  withConnectionOptions(members.command("list"))
    .description("list the accounts that may write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members list")
    .action((flags: ConnectionFlags) => list(context, flags));
  withKeyOption(withConnectionOptions(members.command("add <address>")))
    .description("let one more account write scores")
    .addHelpText("after", "\nExample:\n  $ vipscore members add 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((address: string, flags: ConnectionFlags) => change(context, "addMember", address, flags));
  withKeyOption(withConnectionOptions(members.command("remove <address>")))
    .description("take an account off; the last member cannot be removed")
    .addHelpText("after", "\nExample:\n  $ vipscore members remove 0x8caD25eC80a10522C258e2F59Abf0006C9445D1B")
    .action((address: string, flags: ConnectionFlags) => change(context, "removeMember", address, flags));
}

async function list(context: Context, flags: ConnectionFlags): Promise<void> {
  const { io, output } = context;
  const contract = await connect(context, await readSettings(io, flags), flags, "none");
  const members = await contract.getMembers({ signal: io.signal });
  if (members === undefined) output.print("a reference contract cannot list its members");
  else output.print(members.map(formatChecksummed).join("\n"));
  output.json({ command: "members list", contract: contract.identity, members: members ?? null });
}

async function change(
  context: Context,
  kind: "addMember" | "removeMember",
  address: string,
  flags: ConnectionFlags,
): Promise<void> {
  const { io, output } = context;
  const { signal } = io;
  const settings = await readSettings(io, flags);
  const account = parseAccountArgument(address, settings.vm);
  const contract = await connect(context, settings, flags, "required");
  const command = kind === "addMember" ? "members add" : "members remove";
  const report = { command, contract: contract.identity, account };
  const shown = formatChecksummed(account);
  const isMember = await contract.isMember(account, { signal });
  if (isMember === (kind === "addMember")) {
    output.print(`nothing to do: ${shown} is ${isMember ? "already a member" : "no member"}`);
    output.json({ ...report, transaction: null });
    return;
  }
  await checkChange(contract, { kind, account }, signal);
  const { hash, height, gasUsed } = await callContract(contract, { kind, account }, { signal });
  const done = kind === "addMember" ? "added" : "removed";
  output.print(`${output.paint("green", done)}  ${shown} in block ${group(height)}   (transaction ${hash})`);
  output.json({ ...report, transaction: { hash, height, gasUsed } });
}

/** Refuses before a fee is paid what the contract would refuse. */
async function checkChange(
  contract: ScoreContract,
  call: Extract<ContractCall, { readonly account: Account }>,
  signal: AbortSignal,
): Promise<void> {
  await checkManager(contract, { signal });
  const members = call.kind === "removeMember" ? await contract.getMembers({ signal }) : undefined;
  if (members?.length !== 1) return;
  throw new CheckError(
    `${formatChecksummed(call.account)} is the last member: without one nobody could write scores.`,
    {
      code: "LAST_MEMBER",
      metaMessages: ["Add another member first: vipscore members add <address>"],
    },
  );
}
