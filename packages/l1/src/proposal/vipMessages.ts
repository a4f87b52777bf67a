import { formatBech32, parseAccount, type Account } from "@vipscore/core";
import { describeCall, type VipArgument, type VipCall } from "./vipCall.ts";

/** The account of governance on an Initia L1; no key belongs to it. */
export const governanceAddress = "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3";

/** 0x1, as which governance calls the module `vip`. */
const chainAddress = formatBech32(parseAccount(`0x${"1".padStart(40, "0")}`, { accountBytes: [20] }));

/** The most bytes, in UTF-8, that governance accepts (Cosmos SDK 0.50, x/gov). */
export const proposalLimits = { title: 255, metadata: 255, summary: 10_200 } as const;

/** A message that calls the module `vip`, in the JSON form of protobuf: its type, and its fields in snake case. */
export interface VipMessage {
  readonly "@type": string;
  readonly [field: string]: unknown;
}

/** An amount of one denomination. */
export interface Deposit {
  readonly denom: string;
  readonly amount: bigint;
}

/** Texts that voters read, and the proposer. */
export interface ProposalTexts {
  readonly proposer: Account;
  /** Locked until the vote ends. */
  readonly deposit: Deposit;
  readonly title: string;
  readonly summary: string;
  /** By custom the URL of the discussion in the forum. */
  readonly metadata: string;
  /** A shorter vote, for a larger deposit and a larger majority. Default: false. */
  readonly expedited?: boolean | undefined;
}

/** Returns the message that proposes a call of the module `vip` to L1's governance, as protobuf JSON. */
export function proposalMessage(call: VipCall, vipAddress: Account, texts: ProposalTexts): VipMessage {
  const { proposer, deposit, title, summary, metadata, expedited = false } = texts;
  const execute: VipMessage = {
    "@type": "/initia.move.v1.MsgGovExecute",
    authority: governanceAddress,
    sender: chainAddress,
    ...callFields(call, vipAddress),
  };
  return {
    "@type": "/cosmos.gov.v1.MsgSubmitProposal",
    messages: [execute],
    initial_deposit: [{ denom: deposit.denom, amount: deposit.amount.toString() }],
    proposer: formatBech32(proposer),
    metadata,
    title,
    summary,
    // Amino JSON, which hardware wallets sign, leaves out what is false.
    ...(expedited ? { expedited } : {}),
  };
}

/** Returns the message with which an account calls the module `vip` itself, as protobuf JSON. */
export function executeMessage(call: VipCall, vipAddress: Account, sender: Account): VipMessage {
  return {
    "@type": "/initia.move.v1.MsgExecute",
    sender: formatBech32(sender),
    ...callFields(call, vipAddress),
  };
}

function callFields({ functionName, args }: VipCall, vipAddress: Account) {
  return {
    module_address: vipAddress,
    module_name: "vip",
    function_name: functionName,
    type_args: [],
    args: args.map((bytes) => bytes.toString("base64")),
  };
}

/** The call in a message, read back. */
export interface MessageMeaning {
  readonly functionName: string;
  readonly args: readonly VipArgument[];
}

/**
 * Returns what a message of {@link proposalMessage} or {@link executeMessage} calls, read from the message itself. Throws a
 * RangeError for other messages.
 */
export function describeMessage(message: VipMessage): MessageMeaning {
  const { messages } = message;
  const call: unknown = Array.isArray(messages) && messages.length === 1 ? messages[0] : message;
  if (!isCall(call)) throw new RangeError("the message does not call the module vip");
  const { function_name: functionName, args } = call;
  const bytes = args.map((text) => Buffer.from(text, "base64"));
  return { functionName, args: describeCall({ functionName, args: bytes }) };
}

function isCall(value: unknown): value is { readonly function_name: string; readonly args: readonly string[] } {
  if (typeof value !== "object" || value === null) return false;
  const name: unknown = Reflect.get(value, "function_name");
  const args: unknown = Reflect.get(value, "args");
  return typeof name === "string" && Array.isArray(args) && args.every((arg) => typeof arg === "string");
}
