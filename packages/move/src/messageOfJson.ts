import { isDeepStrictEqual } from "node:util";
import type { MessageJson } from "@vipscore/cosmos";
import { msgExecute, msgGovExecute, type JsonMessage, type ModuleCall } from "./moveMessages.ts";
import { msgSubmitProposal } from "./msgSubmitProposal.ts";

/** Readers of messages, by type. */
type Readers = ReadonlyMap<string, (json: object) => JsonMessage>;

/** The messages that a proposal may have. */
const proposed: Readers = new Map([
  ["/initia.move.v1.MsgGovExecute", (json: object) => msgGovExecute(textOf(json, "authority"), callOf(json))],
]);

/** The messages that a transaction may have. */
const signed: Readers = new Map([
  ["/initia.move.v1.MsgExecute", (json: object) => msgExecute(callOf(json))],
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
  const type = textOf(json, "@type");
  const read = readers.get(type);
  if (read === undefined) throw new RangeError(`a message ${type} cannot be signed here`);
  return read(json);
}

function callOf(json: object): ModuleCall {
  return {
    sender: textOf(json, "sender"),
    moduleAddress: textOf(json, "module_address"),
    moduleName: textOf(json, "module_name"),
    functionName: textOf(json, "function_name"),
    typeArgs: listOf(json, "type_args", asText),
    args: listOf(json, "args", asText).map((arg) => Buffer.from(arg, "base64")),
  };
}

function proposalOf(json: object): JsonMessage {
  return msgSubmitProposal({
    messages: listOf(json, "messages", asObject).map((message) => messageOf(proposed, message)),
    deposit: listOf(json, "initial_deposit", asObject).map((coin) => ({
      denom: textOf(coin, "denom"),
      amount: textOf(coin, "amount"),
    })),
    proposer: textOf(json, "proposer"),
    metadata: textOf(json, "metadata"),
    title: textOf(json, "title"),
    summary: textOf(json, "summary"),
    expedited: Reflect.get(json, "expedited") === true,
  });
}

function textOf(json: object, field: string): string {
  return asText(Reflect.get(json, field), field);
}

function listOf<T>(json: object, field: string, as: (value: unknown, field: string) => T): readonly T[] {
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
