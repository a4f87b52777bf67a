import { resolve } from "node:path";
import type { Command } from "commander";
import { InputError, parseAccount, refuseExisting, VipError, writeNewFile } from "@vipscore/core";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { isMissingRoute, openRest, RestError, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import {
  feeOf,
  isBelow,
  parseGasPrice,
  readL1GasPrice,
  simulateGas,
  unsignedTransactionJson,
  type GasPrice,
  type L1GasPrice,
} from "@vipscore/cosmos";
import { describeMessage, readBalance, type Deposit, type VipMessage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { parseU64, withSignerOptions } from "../options.ts";
import { hintLines } from "../output/reportError.ts";
import { formatTable } from "../output/table.ts";
import type { L1Connection, SignFlags } from "./openL1.ts";

export interface TransactionFlags extends SignFlags {
  readonly out: string;
  readonly gas?: bigint;
  readonly l1GasPrice?: string;
}

export function withTransactionOptions(command: Command): Command {
  return withSignerOptions(command)
    .requiredOption("--out <file>", "write the transaction to a new JSON file")
    .option("--sign", "sign it; without this, sign the file with `initiad tx sign`")
    .option(
      "--gas <n>",
      "gas limit of the transaction (default: by a simulation on L1, or by its size)",
      parseU64("--gas"),
    )
    .option("--l1-gas-price <price>", "gas price on L1, e.g. 0.015uinit (default: asks L1)");
}

/**
 * Parts of the default gas limit. Governance writes a proposal several times, which costs about 190 for each byte, and the rest
 * 60,000. Every four hours a claim also counts the balances of all bridges.
 */
const gasOf = { transaction: 200_000, byte: 250, counting: 100_000n };

/**
 * Returns the gas that a transaction uses in a simulation, with a margin for what changes until it is sent; undefined if L1
 * does not simulate it, such as for an account that is not funded yet.
 */
async function simulatedGas(rest: RestClient, message: VipMessage, signal: AbortSignal): Promise<bigint | undefined> {
  const simulate = async (): Promise<bigint> => {
    const account = `/cosmos/auth/v1beta1/account_info/${payerOf(message)}`;
    const sequence = await rest.get(account, (answer) => answer.field("info").field("sequence").text(), { signal });
    const { body, auth_info } = unsignedTransactionJson({ messages: [message], gas: 0n, fee: undefined });
    // Without a key the node counts the gas of one.
    const signer = { public_key: null, mode_info: { single: { mode: "SIGN_MODE_DIRECT" } }, sequence };
    const tx = { body, auth_info: { ...auth_info, signer_infos: [signer] }, signatures: [""] };
    const readBytes = (answer: Answer): string => answer.field("tx_bytes").text();
    const tx_bytes = await rest.query("/cosmos/tx/v1beta1/encode", { tx }, readBytes, { signal });
    return simulateGas(rest, tx_bytes, { signal });
  };
  const used = await undefinedIf((error) => error instanceof RestError || isMissingRoute(error), simulate());
  return used && (used * 4n) / 3n + gasOf.counting;
}

const payerOf = (message: VipMessage): string => String(message["sender"] ?? message["proposer"]);

/** Refuses files that exist, before anything is read. */
export async function refuseFiles(context: Context, names: readonly (string | undefined)[]): Promise<void> {
  const given = names.filter((name) => name !== undefined);
  const paths = given.map((name) => resolve(context.io.cwd, name));
  if (new Set(paths).size < paths.length) throw new InputError("two options name the same file");
  for (const [index, name] of given.entries()) await refuseExisting(paths[index] ?? name, name);
}

/**
 * Writes a transaction with one message for L1, and a forum post; prints what the message means, read back from its bytes.
 * Sends nothing.
 */
export async function writeTransaction(
  context: Context,
  l1: L1Connection,
  flags: TransactionFlags,
  work: {
    readonly command: string;
    readonly message: VipMessage;
    readonly deposit?: Deposit;
    readonly forum?: { readonly name: string; readonly text: string } | undefined;
    /** Default gas limit. Default: by the message's size. */
    readonly gas?: bigint;
    readonly details?: object;
  },
): Promise<void> {
  const { io, output } = context;
  const { command, message, forum, details } = work;
  const meaning = describeMessage(message);
  const { address } = l1.current.vip;
  const args = formatTable(
    meaning.args.map(({ name, value }) => [name, value]),
    { indent: "  " },
  );
  output.print([`${address}::vip::${meaning.functionName} on ${l1.current.chainId}`, ...args].join("\n"));
  const bytes = Buffer.byteLength(JSON.stringify(message));
  const gas =
    flags.gas ??
    (await simulatedGas(openRest(l1.options.l1RestUrl), message, context.signal)) ??
    work.gas ??
    BigInt(gasOf.transaction + gasOf.byte * bytes);
  const { l1GasPrice } = flags;
  const transaction = await transactionOf(context, l1, work, gas, l1GasPrice);
  const files = [{ name: flags.out, text: `${JSON.stringify(transaction.json, undefined, 2)}\n` }];
  if (forum !== undefined) files.push(forum);
  for (const { name, text } of files) {
    await writeNewFile(resolve(io.cwd, name), name, [text]);
    output.print(`${output.paint("green", "wrote")}  ${name}`);
  }
  const local = (await readNodeFile(io.cwd))?.l1;
  output.note(nextStep(flags, l1, transaction, { isLocal: local?.restUrl === l1.options.l1RestUrl }));
  output.json({
    command,
    l1: { chainId: l1.current.chainId, vip: address },
    call: { module: "vip", function: meaning.functionName, arguments: meaning.args },
    isSigned: flags.sign === true,
    sequence: transaction.sequence,
    ...details,
    files: files.map(({ name }) => name),
  });
}

/** Prints what only a person can fill in of a forum post. */
export function noteGaps({ output }: Context, name: string, gaps: readonly string[]): void {
  output.note([`${name} lacks what only you know:`, ...gaps.map((what) => `  ${what}`)].join("\n"));
}

interface WrittenTransaction {
  readonly json: object;
  /** The sequence that the signature is for; undefined without one. */
  readonly sequence?: bigint;
}

async function transactionOf(
  { output, signal }: Context,
  l1: L1Connection,
  { message, deposit }: { readonly message: VipMessage; readonly deposit?: Deposit },
  gas: bigint,
  price: string | undefined,
): Promise<WrittenTransaction> {
  const { current, options, signer } = l1;
  const restUrl = options.l1RestUrl;
  const asked = await readL1GasPrice(openRest(restUrl), signal);
  const gasPrice = price === undefined ? asked?.price : parseGasPrice(price);
  const fee = gasPrice && { denom: gasPrice.denom, amount: feeOf(gasPrice, gas) };
  const problems = [
    price === undefined ? undefined : priceProblem(parseGasPrice(price), asked),
    await balanceProblem(l1, payerOf(message), { "the deposit": deposit, "the fee": fee }),
  ].filter((problem) => problem !== undefined);
  // L1 would refuse a signed file, or answer 0 and never show it.
  if (signer !== undefined && problems[0] !== undefined) throw problems[0];
  output.warnAll(problems.map((problem) => [`${problem.shortMessage}.`, ...hintLines(problem)].join(" ")));
  if (price === undefined && asked?.base !== undefined) {
    output.note(
      `The fee is for ${priceText(asked.price)} per unit of gas; L1's base price is ${priceText(asked.base)} now. L1 refuses the file if its base price is above the fee's when the file is sent: then write it again.`,
    );
  }
  if (signer !== undefined) {
    const { signMessage } = await optionalPackage("@vipscore/move");
    return signMessage({ restUrl, chainId: current.chainId, account: signer, message, gas, gasPrice, signal });
  }
  return { json: unsignedTransactionJson({ messages: [message], gas, fee }) };
}

/** Why L1 takes no fee at a given price; undefined if it does. */
function priceProblem(given: GasPrice, asked: L1GasPrice | undefined): VipError | undefined {
  const { accepted = [] } = asked ?? {};
  const base = accepted.find(({ denom }) => denom === given.denom);
  if (accepted.length === 0 || (base !== undefined && !isBelow(given, base))) return undefined;
  return new InputError(`--l1-gas-price ${priceText(given)} is refused by L1`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Its base price is ${accepted.slice(0, 5).map(priceText).join(" or ")} now.`],
  });
}

/** Why an account cannot pay a fee, and the deposit of a proposal; undefined if it can. */
async function balanceProblem(
  { options }: L1Connection,
  payer: string,
  paid: Readonly<Record<string, Deposit | undefined>>,
): Promise<VipError | undefined> {
  const coins = Object.entries(paid).flatMap(([what, coin]) => (coin === undefined ? [] : [{ what, ...coin }]));
  for (const denom of new Set(coins.map((coin) => coin.denom))) {
    const balance = await readBalance({ ...options, account: parseAccount(payer, { accountBytes: [20, 32] }), denom });
    const needed = coins.filter((coin) => coin.denom === denom);
    if (balance >= needed.reduce((sum, { amount }) => sum + amount, 0n)) continue;
    const list = needed.map(({ what, amount }) => `${what} of ${amount}${denom}`).join(" and ");
    return new VipError(`${payer} holds ${balance}${denom} on L1, less than ${list}`, {
      code: "INSUFFICIENT_FUNDS",
      metaMessages: ["Fund it before the transaction is sent: L1 accepts it without the fee, and never shows it."],
    });
  }
  return undefined;
}

function priceText({ amount, per, denom }: GasPrice): string {
  return `${Number(amount) / Number(per)}${denom}`;
}

function nextStep(
  { out }: TransactionFlags,
  { current }: L1Connection,
  { sequence }: WrittenTransaction,
  { isLocal }: { readonly isLocal: boolean },
): string {
  if (isLocal && sequence === undefined)
    return "Nothing was sent. Write the file with --sign to send it to the local L1.";
  // Without it the command asks a node on this machine.
  const node = "--node <RPC of L1>";
  return sequence === undefined
    ? `Nothing was sent. Sign the file: initiad tx sign ${out} --from <key> --chain-id ${current.chainId} ${node}`
    : `Nothing was sent. Send the file before the account sends anything else: ${isLocal ? `vipscore practice send ${out}` : `initiad tx broadcast ${out} ${node}`}`;
}
