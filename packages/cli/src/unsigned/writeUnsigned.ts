import { resolve } from "node:path";
import { formatBech32, formatChecksummed, writeNewFile, type OtherCall, type ScoreContract } from "@vipscore/core";
import type { Context } from "../context.ts";
import { rollups, type UnsignedFormat } from "../rollup/rollups.ts";
import { callLines } from "./callLines.ts";

/** The flags that write a call instead of sending it. */
export interface UnsignedFlags {
  /** The file to write. */
  readonly unsigned?: string;
  /** With `unsigned`: the account that will sign. */
  readonly from?: string;
}

/** A written call, for `--json`. */
export interface WrittenCall {
  readonly file: string;
  readonly format: UnsignedFormat;
  /** The account that must sign it, as the chain spells it. */
  readonly from: string;
}

/**
 * Prints a call and writes it to a new file, for a multisig or another wallet, and says how to go on. Sends nothing.
 *
 * @throws InputError `FILE_UNWRITABLE`; NodeError.
 */
export async function writeUnsigned(
  { io, output }: Context,
  contract: ScoreContract,
  call: OtherCall,
  file: string,
): Promise<WrittenCall> {
  const { identity, signer } = contract;
  if (signer === undefined) throw new Error("an unsigned call needs the account that will sign it");
  output.print(callLines(call).join("\n"));
  const { format, write } = rollups[identity.vm].unsigned;
  const text = await write(contract, call, { signal: io.signal });
  await writeNewFile(resolve(io.cwd, file), file, [`${text}\n`]);
  const isForSafe = format === "safe-transaction-builder";
  const from = isForSafe ? formatChecksummed(signer) : formatBech32(signer);
  const next = isForSafe ? safeSteps(file, from, identity.chainId) : cosmosSteps(file, from, identity.chainId);
  output.print([`${output.paint("green", "written")}  ${file}; nothing was sent`, ...next].join("\n"));
  return { file, format, from };
}

const lastStep = "Then run the same command again: it reports that there is nothing to do.";

function safeSteps(file: string, from: string, chainId: string): readonly string[] {
  return [
    `Load ${file} in the Transaction Builder of the Safe ${from} on chain ${chainId}; sign and execute it there.`,
    lastStep,
  ];
}

function cosmosSteps(file: string, from: string, chainId: string): readonly string[] {
  return [
    "Each member of the multisig signs, and one joins the signatures and sends them, all with --node:",
    `  minitiad tx sign ${file} --multisig ${from} --from <key> --chain-id ${chainId} --output-document <signature>`,
    `  minitiad tx multisign ${file} <multisig> <signature> <signature> --chain-id ${chainId} --output-document signed.json`,
    "  minitiad tx broadcast signed.json",
    lastStep,
  ];
}
