import { isDeepStrictEqual } from "node:util";
import { MsgSubmitProposal } from "cosmjs-types/cosmos/gov/v1/tx";
import { openRest } from "@vipscore/core/wire";
import {
  feeOf,
  findAccountState,
  readL1GasPrice,
  signedTransactionJson,
  unknownSigner,
  type CosmosAccount,
  type GasPrice,
  type MessageJson,
} from "@vipscore/cosmos";
import { msgExecute, msgGovExecute, type JsonMessage, type ModuleCall } from "./moveMessages.ts";

/** Parameters of {@link signMessage}. */
export interface SignMessageParameters {
  /** REST endpoint of the Move chain that the transaction is for; Initia's L1 is one. */
  readonly restUrl: string;
  readonly chainId: string;
  readonly account: CosmosAccount;
  /** The message in the JSON form of protobuf: `MsgExecute`, or `MsgSubmitProposal` with messages `MsgGovExecute`. */
  readonly message: MessageJson;
  /** The gas limit. */
  readonly gas: bigint;
  /** The price to pay. Default: the chain's. */
  readonly gasPrice?: GasPrice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A signed transaction that was not sent. */
export interface SignedMessage {
  /** The transaction as the Cosmos CLI writes it; `initiad tx broadcast` reads it. */
  readonly json: object;
  readonly accountNumber: bigint;
  /** The sequence that the signature is for: the transaction fails once the account has sent another one. */
  readonly sequence: bigint;
}

/**
 * Signs a transaction with one message and returns it as JSON. Reads the account's number and sequence from the chain; sends
 * nothing.
 *
 * @throws InputError `CONFIG_INVALID`; VipError `INSUFFICIENT_FUNDS` for an account unknown to the chain; NodeError; RangeError for another message; the signal's reason when aborted.
 */
export async function signMessage(parameters: SignMessageParameters): Promise<SignedMessage> {
  const { restUrl, chainId, account, message, gas, signal } = parameters;
  const rest = openRest(restUrl);
  const state = await findAccountState(rest, account.address, { signal });
  if (state === undefined) throw unknownSigner(account, chainId);
  const { accountNumber, sequence } = state;
  const price = parameters.gasPrice ?? (await readL1GasPrice(rest, signal))?.price;
  const fee = price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) };
  const transaction = { message: messageOfJson(message), chainId, accountNumber, sequence, gas, fee };
  const bytes = await account.signTransaction(transaction);
  return { json: signedTransactionJson(bytes, { messages: [message], gas, fee }), accountNumber, sequence };
}

/** Readers of messages, by type. */
type Readers = ReadonlyMap<string, (json: object) => JsonMessage>;

/** The messages that a proposal may have. */
const proposed: Readers = new Map([
  [
    "/initia.move.v1.MsgGovExecute",
    (json: object) => msgGovExecute(textField(json, "authority"), readModuleCall(json)),
  ],
]);

/** The messages that a transaction may have. */
const signed: Readers = new Map([
  ["/initia.move.v1.MsgExecute", (json: object) => msgExecute(readModuleCall(json))],
  ["/cosmos.gov.v1.MsgSubmitProposal", proposalOf],
]);

/**
 * Returns the message of a JSON form of protobuf: `MsgExecute`, or `MsgSubmitProposal` with messages `MsgGovExecute`.
 * Throws a RangeError for any other message, and for one with a field that it would not sign exactly as it is.
 */
export function messageOfJson(json: MessageJson): JsonMessage {
  const message = messageOf(signed, json);
  // A field that nobody reads here would be in the file, but not under the signature.
  if (isDeepStrictEqual(message.json(), json)) return message;
  throw new RangeError(`a message ${message.typeUrl} has fields that cannot be signed here`);
}

function messageOf(readers: Readers, json: object): JsonMessage {
  const type = textField(json, "@type");
  const read = readers.get(type);
  if (read === undefined) throw new RangeError(`a message ${type} cannot be signed here`);
  return read(json);
}

function readModuleCall(json: object): ModuleCall {
  return {
    sender: textField(json, "sender"),
    moduleAddress: textField(json, "module_address"),
    moduleName: textField(json, "module_name"),
    functionName: textField(json, "function_name"),
    typeArgs: listField(json, "type_args", asText),
    args: listField(json, "args", asText).map((arg) => Buffer.from(arg, "base64")),
  };
}

function proposalOf(json: object): JsonMessage {
  return msgSubmitProposal({
    messages: listField(json, "messages", asObject).map((message) => messageOf(proposed, message)),
    deposit: listField(json, "initial_deposit", asObject).map((coin) => ({
      denom: textField(coin, "denom"),
      amount: textField(coin, "amount"),
    })),
    proposer: textField(json, "proposer"),
    metadata: textField(json, "metadata"),
    title: textField(json, "title"),
    summary: textField(json, "summary"),
    expedited: Reflect.get(json, "expedited") === true,
  });
}

function textField(json: object, field: string): string {
  return asText(Reflect.get(json, field), field);
}

function listField<T>(json: object, field: string, as: (value: unknown, field: string) => T): readonly T[] {
  const list: unknown = Reflect.get(json, field);
  if (!Array.isArray(list)) throw wrongType(field, "a list");
  return list.map((value: unknown) => as(value, field));
}

function asText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw wrongType(field, "text");
}

function asObject(value: unknown, field: string): object {
  if (typeof value === "object" && value !== null) return value;
  throw wrongType(field, "an object");
}

function wrongType(field: string, expected: string): RangeError {
  return new RangeError(`the message's field ${field} is not ${expected}`);
}

export interface Proposal {
  /** Messages that take effect when it passes. */
  readonly messages: readonly JsonMessage[];
  readonly deposit: readonly { readonly denom: string; readonly amount: string }[];
  /** Who proposes, in bech32. */
  readonly proposer: string;
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  /** True for a shorter vote, with a larger deposit and a larger majority. */
  readonly expedited: boolean;
}

export function msgSubmitProposal({ messages, deposit, expedited, ...texts }: Proposal): JsonMessage {
  const { typeUrl } = MsgSubmitProposal;
  const packed = messages.map((message) => ({ typeUrl: message.typeUrl, value: message.value }));
  const fields = { ...texts, messages: packed, initialDeposit: [...deposit], expedited };
  // Neither form of JSON has a field that is false.
  const speed = expedited ? { expedited } : {};
  return {
    typeUrl,
    value: MsgSubmitProposal.encode(fields).finish(),
    amino: () => ({
      type: "cosmos-sdk/v1/MsgSubmitProposal",
      value: {
        ...texts,
        messages: messages.map(({ amino }) => amino?.()),
        initial_deposit: deposit,
        metadata: texts.metadata === "" ? undefined : texts.metadata,
        ...speed,
      },
    }),
    json: () => ({
      "@type": typeUrl,
      messages: messages.map(({ json }) => json()),
      initial_deposit: deposit,
      ...texts,
      ...speed,
    }),
  };
}
