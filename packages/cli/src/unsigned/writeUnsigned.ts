import { resolve } from "node:path";
import {
  formatBech32,
  formatChecksummed,
  type OtherCall,
  type ScoreContract,
  type SignalOptions,
} from "@vipscore/core";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { writeNewFile } from "../writeNewFile.ts";
import { safeBatch } from "./safeBatch.ts";

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
  readonly format: "safe-transaction-builder" | "cosmos-transaction";
  /** The account that must sign it, as the chain spells it. */
  readonly from: string;
}

/**
 * Writes a call to a new file, for a multisig or another wallet, and says how to go on. Sends nothing.
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
  const text = await unsignedText(contract, call, { signal: io.signal });
  await writeNewFile(resolve(io.cwd, file), file, [`${text}\n`]);
  const isEvm = identity.vm === "evm";
  const from = isEvm ? formatChecksummed(signer) : formatBech32(signer);
  const next = isEvm ? safeSteps(file, from, identity.chainId) : cosmosSteps(file, from, identity.chainId);
  output.print([`${output.paint("green", "written")}  ${file}; nothing was sent`, ...next].join("\n"));
  return { file, format: isEvm ? "safe-transaction-builder" : "cosmos-transaction", from };
}

/** Returns the contents of the file. Loads only the library of the contract's VM. */
async function unsignedText(contract: ScoreContract, call: OtherCall, options: SignalOptions): Promise<string> {
  const { vm } = contract.identity;
  if (vm === "evm") return safeBatch(contract, call);
  if (vm === "move") return (await optionalPackage("@vipscore/move")).unsignedMoveCall(contract, call, options);
  return (await optionalPackage("@vipscore/wasm")).unsignedWasmCall(contract, call, options);
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
