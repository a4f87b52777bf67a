import { BinaryWriter, WireType } from "cosmjs-types/binary";
import type { CosmosMessage, MessageJson } from "@vipscore/cosmos";
import type { UpgradePolicy } from "./moduleStore.ts";

/** Numbers of the fields, from initia's proto/initia/move/v1/tx.proto, which cosmjs-types does not include. */
const publishFields = { sender: 1, codeBytes: 2, upgradePolicy: 3 } as const;
const executeFields = { sender: 1, call: 2 } as const;
const govExecuteFields = { authority: 1, sender: 2, call: 3 } as const;

/** Numbers of `UpgradePolicy`, from initia's proto/initia/move/v1/types.proto. */
const upgradePolicies: Readonly<Record<UpgradePolicy, number>> = { compatible: 1, immutable: 2 };

export interface ModuleCall {
  /** Who calls, in bech32. */
  readonly sender: string;
  readonly moduleAddress: string;
  readonly moduleName: string;
  readonly functionName: string;
  readonly typeArgs: readonly string[];
  /** The arguments in BCS. */
  readonly args: readonly Uint8Array[];
}

/** A message that has a JSON form of protobuf, which `json` returns. */
export interface JsonMessage extends CosmosMessage {
  readonly json: () => MessageJson;
}

export function msgExecute(call: ModuleCall): JsonMessage {
  const typeUrl = "/initia.move.v1.MsgExecute";
  const writer = BinaryWriter.create();
  writeText(writer, executeFields.sender, call.sender);
  writeModuleCall(writer, executeFields.call, call);
  return {
    typeUrl,
    value: writer.finish(),
    amino: () => ({ type: "move/MsgExecute", value: aminoFields(call) }),
    json: () => ({ "@type": typeUrl, ...jsonFields(call) }),
  };
}

/** Returns the message with which governance, the account `authority`, calls a module as the call's sender. */
export function msgGovExecute(authority: string, call: ModuleCall): JsonMessage {
  const typeUrl = "/initia.move.v1.MsgGovExecute";
  const writer = BinaryWriter.create();
  writeText(writer, govExecuteFields.authority, authority);
  writeText(writer, govExecuteFields.sender, call.sender);
  writeModuleCall(writer, govExecuteFields.call, call);
  return {
    typeUrl,
    value: writer.finish(),
    amino: () => ({ type: "move/MsgGovExecute", value: { authority, ...aminoFields(call) } }),
    json: () => ({ "@type": typeUrl, authority, ...jsonFields(call) }),
  };
}

export function msgPublish(sender: string, codes: readonly Uint8Array[], upgradePolicy: UpgradePolicy): CosmosMessage {
  const policy = upgradePolicies[upgradePolicy];
  const writer = BinaryWriter.create();
  writeText(writer, publishFields.sender, sender);
  for (const code of codes) writeBytes(writer, publishFields.codeBytes, code);
  writer.tag(publishFields.upgradePolicy, WireType.Varint).int32(policy);
  return {
    typeUrl: "/initia.move.v1.MsgPublish",
    value: writer.finish(),
    amino: () => ({
      type: "move/MsgPublish",
      value: { sender, code_bytes: codes.map(base64), upgrade_policy: policy },
    }),
  };
}

/** Writes module, function and arguments, whose fields follow each other from the number `first`. */
function writeModuleCall(writer: BinaryWriter, first: number, call: ModuleCall): void {
  writeText(writer, first, call.moduleAddress);
  writeText(writer, first + 1, call.moduleName);
  writeText(writer, first + 2, call.functionName);
  for (const type of call.typeArgs) writer.tag(first + 3, WireType.Bytes).string(type);
  for (const arg of call.args) writeBytes(writer, first + 4, arg);
}

/** Writes a text; protobuf leaves out an empty one. */
function writeText(writer: BinaryWriter, field: number, text: string): void {
  if (text !== "") writer.tag(field, WireType.Bytes).string(text);
}

function writeBytes(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, WireType.Bytes).bytes(bytes);
}

function jsonFields({ sender, moduleAddress, moduleName, functionName, typeArgs, args }: ModuleCall) {
  return {
    sender,
    module_address: moduleAddress,
    module_name: moduleName,
    function_name: functionName,
    type_args: typeArgs,
    args: args.map(base64),
  };
}

/** Amino JSON leaves out empty lists. */
function aminoFields(call: ModuleCall): object {
  const { type_args: types, args, ...fields } = jsonFields(call);
  return { ...fields, type_args: filled(types), args: filled(args) };
}

function filled(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
