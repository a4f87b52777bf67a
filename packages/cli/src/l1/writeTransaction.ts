import { resolve } from "node:path";
import { InputError, refuseExisting, writeNewFile } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { feeOf, parseGasPrice, readRestGasPrice, unsignedTransactionJson } from "@vipscore/cosmos";
import { describeMessage, type MessageMeaning, type VipMessage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import type { L1Connection } from "./l1Connection.ts";
import type { TransactionFlags } from "./transactionOptions.ts";

/** The default gas limit: governance writes a proposal several times, which costs about 190 for each byte, and the rest 60,000. */
const gasOf = { transaction: 200_000, byte: 250 };

/** A file to write. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** Refuses files that exist, before anything is read. */
export async function refuseFiles(context: Context, names: readonly (string | undefined)[]): Promise<void> {
  const given = names.filter((name) => name !== undefined);
  const paths = given.map((name) => resolve(context.io.cwd, name));
  if (new Set(paths).size < paths.length) throw new InputError("two options name the same file");
  for (const [index, name] of given.entries()) await refuseExisting(paths[index] ?? name, name);
}

/**
 * Writes a transaction with one message for L1, and other files; prints what the message means, read back from its bytes.
 * Sends nothing.
 *
 * @throws InputError `FILE_UNWRITABLE`, `CONFIG_INVALID`; NodeError.
 */
export async function writeTransaction(
  context: Context,
  l1: L1Connection,
  flags: TransactionFlags,
  work: {
    readonly command: string;
    readonly message: VipMessage;
    readonly others?: readonly NewFile[];
    /** Default gas limit. Default: by the message's size. */
    readonly gas?: bigint;
    /** More fields for `--json`. */
    readonly details?: object;
  },
): Promise<void> {
  const { io, output } = context;
  const { command, message, others = [], details } = work;
  const meaning = describeMessage(message);
  output.print(meaningLines(meaning, l1).join("\n"));
  const { gas = work.gas ?? gasFor(message), gasPrices } = flags;
  const transaction = await transactionOf(context, l1, message, { gas, gasPrices });
  const files = [{ name: flags.out, text: `${JSON.stringify(transaction.json, undefined, 2)}\n` }, ...others];
  for (const { name, text } of files) {
    await writeNewFile(resolve(io.cwd, name), name, [text]);
    output.print(`${output.paint("green", "wrote")}  ${name}`);
  }
  output.note(nextStep(flags, l1, transaction));
  output.json({
    command,
    l1: { chainId: l1.current.chainId, vip: l1.current.vip.address },
    call: { module: "vip", function: meaning.functionName, arguments: meaning.args },
    isSigned: flags.sign === true,
    sequence: transaction.sequence ?? null,
    ...details,
    files: files.map(({ name }) => name),
  });
}

interface WrittenTransaction {
  readonly json: object;
  /** The sequence that the signature is for; undefined without one. */
  readonly sequence?: bigint;
}

async function transactionOf(
  { io }: Context,
  { current, options, signer }: L1Connection,
  message: VipMessage,
  { gas, gasPrices }: { readonly gas: bigint; readonly gasPrices: string | undefined },
): Promise<WrittenTransaction> {
  const { signal } = io;
  const restUrl = options.l1RestUrl;
  const gasPrice =
    gasPrices === undefined ? await readRestGasPrice(openRest(restUrl), signal) : parseGasPrice(gasPrices);
  if (signer !== undefined) {
    const { signMessage } = await optionalPackage("@vipscore/move");
    return signMessage({ restUrl, chainId: current.chainId, account: signer, message, gas, gasPrice, signal });
  }
  const fee = gasPrice === undefined ? undefined : { denom: gasPrice.denom, amount: feeOf(gasPrice, gas) };
  return { json: unsignedTransactionJson({ messages: [message], gas, fee }) };
}

function gasFor(message: VipMessage): bigint {
  return BigInt(gasOf.transaction + gasOf.byte * Buffer.byteLength(JSON.stringify(message)));
}

function meaningLines({ functionName, args }: MessageMeaning, { current }: L1Connection): readonly string[] {
  const width = Math.max(...args.map(({ name }) => name.length));
  return [
    `${current.vip.address}::vip::${functionName} on ${current.chainId}`,
    ...args.map(({ name, value }) => `  ${name.padEnd(width)}  ${value}`),
  ];
}

function nextStep({ out }: TransactionFlags, { current }: L1Connection, { sequence }: WrittenTransaction): string {
  // Without it the command asks a node on this machine.
  const node = "--node <RPC of L1>";
  return sequence === undefined
    ? `Nothing was sent. Sign the file: initiad tx sign ${out} --from <key> --chain-id ${current.chainId} ${node}`
    : `Nothing was sent. Send the file before the account sends anything else: initiad tx broadcast ${out} ${node}`;
}
