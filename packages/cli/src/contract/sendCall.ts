import { resolve } from "node:path";
import {
  callContract,
  checkCall,
  formatBech32,
  formatChecksummed,
  writeNewFile,
  type ContractIdentity,
  type OtherCall,
  type ScoreContract,
} from "@vipscore/core";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { formatTable } from "../output/table.ts";
import { rollups } from "../rollup/rollups.ts";

export interface UnsignedFlags {
  readonly unsigned?: string;
  /** With `unsigned`: the account that will sign. */
  readonly from?: string;
}

interface CallReport {
  readonly command: string;
  readonly contract: ContractIdentity;
}

/** Sends one call, or writes it to the file of `--unsigned`. First refuses what the contract would refuse for a fee. */
export async function sendCall(
  context: Context,
  contract: ScoreContract,
  { call, done, report }: { readonly call: OtherCall; readonly done: string; readonly report: CallReport },
  { unsigned: file }: UnsignedFlags,
): Promise<void> {
  const { output, signal } = context;
  await checkCall(contract, call, { signal });
  if (file !== undefined) {
    const unsigned = await writeUnsigned(context, contract, call, file);
    output.json({ ...report, transaction: null, unsigned });
    return;
  }
  const { hash, height, gasUsed } = await callContract(contract, call, { signal });
  output.print(`${output.paint("green", "done")}  ${done}   (block ${group(height)}, transaction ${hash})`);
  output.json({ ...report, transaction: { hash, height, gasUsed: gasUsed ?? null } });
}

export function reportNothingToDo({ output }: Context, why: string, report: CallReport): void {
  output.print(`nothing to do: ${why}`);
  output.json({ ...report, transaction: null });
}

/** Prints a call and writes it to a new file, for a multisig or another wallet, and says how to go on. Sends nothing. */
export async function writeUnsigned(
  { io, output }: Context,
  contract: ScoreContract,
  call: OtherCall,
  file: string,
): Promise<object> {
  const { identity, signer } = contract;
  if (signer === undefined) throw new Error("an unsigned call needs the account that will sign it");
  const { format, write } = rollups[identity.vm].unsigned;
  const { name, text } = await write(contract, call, { signal: io.signal });
  output.print(formatTable([["call", name], ...valuesOf(call)]).join("\n"));
  await writeNewFile(resolve(io.cwd, file), file, [`${text}\n`]);
  const isForSafe = format === "safe-transaction-builder";
  const from = isForSafe ? formatChecksummed(signer) : formatBech32(signer);
  const { chainId } = identity;
  const next = isForSafe
    ? [`Load ${file} in the Transaction Builder of the Safe ${from} on chain ${chainId}; sign and execute it there.`]
    : cosmosSteps(file, from, chainId);
  output.print([`${output.paint("green", "written")}  ${file}; nothing was sent`, ...next, lastStep].join("\n"));
  return { file, format, from };
}

const lastStep = "Then run the same command again: it reports that there is nothing to do.";

function cosmosSteps(file: string, from: string, chainId: string): readonly string[] {
  return [
    "Each member of the multisig signs, and one joins the signatures and sends them, all with --node:",
    `  minitiad tx sign ${file} --multisig ${from} --from <key> --chain-id ${chainId} --output-document <signature>`,
    `  minitiad tx multisign ${file} <multisig> <signature> <signature> --chain-id ${chainId} --output-document signed.json`,
    "  minitiad tx broadcast signed.json",
  ];
}

type Value = readonly [name: string, value: string];

/** Returns every value that the signer of a call signs. */
function valuesOf(call: OtherCall): readonly Value[] {
  if (call.kind === "finalizeStage") return [["stage", `${call.stage}`], ...expectedValues(call.expected)];
  if (call.kind === "setManagement") return [["allowed", call.allowed ? "yes" : "no"]];
  if (call.kind === "acceptOwnership") return [];
  const accounts = call.kind === "setMembers" ? call.accounts : [call.account];
  return accounts.map((account): Value => ["account", account === undefined ? "any" : formatChecksummed(account)]);
}

function expectedValues(expected: Extract<OtherCall, { kind: "finalizeStage" }>["expected"]): readonly Value[] {
  if (expected === undefined) return [["expects", "nothing: the contract checks neither total nor accounts"]];
  const { total, count, revision } = expected;
  return [
    ["total", group(total)],
    ["accounts", group(count)],
    ["revision", group(revision)],
  ];
}
