import type { AbiFunction } from "viem";
import { parseAbiItem } from "viem/utils";
import type { Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, text, withSchema, type Field } from "@vipscore/core/field";
import type { AddFile } from "../../files/policyFile.ts";
import { policyInvalid } from "../../policyError.ts";
import { readAccountsField, type AccountsField } from "../readCsv.ts";
import { contractAddress, oneOrMore, sourceFields } from "../sourceFields.ts";

/** A function of an EVM contract from an account to an integer. */
export interface EvmView {
  readonly vm: "evm";
  /** Lower-case hex. */
  readonly contract: `0x${string}`;
  readonly function: AbiFunction;
}

/** A view function of a Move module from an account to an integer. */
export interface MoveView {
  readonly vm: "move";
  /** The module's address, as the policy writes it. */
  readonly address: string;
  readonly module: string;
  readonly function: string;
  readonly typeArgs: readonly string[];
}

export interface WasmView {
  readonly vm: "wasm";
  readonly contract: Account;
  /** The query as JSON; `{account}` in it stands for the account in bech32. */
  readonly query: string;
  /** The field of the answer that has the integer. */
  readonly field: string;
}

/** A source of kind `view`: what a contract answered for accounts after the window's last block. */
export interface ViewDefinition extends AccountsField {
  readonly kind: "view";
  readonly name: string;
  readonly view: EvmView | MoveView | WasmView;
}

const viewFields = { ...sourceFields, accounts: text };
const readEvmView = object({
  ...viewFields,
  contract: contractAddress([20]),
  function: withSchema({ type: "string" }, readEvmFunction),
});
const readMoveView = object({
  ...viewFields,
  function: withSchema({ type: "string" }, readMoveFunction),
  type_args: optional(oneOrMore(text)),
});
const readWasmView = object({
  ...viewFields,
  contract: contractAddress([20, 32]),
  query: withSchema({ type: "string" }, readQuery),
  field: text,
});

export async function readViewDefinition(source: Field, addFile: AddFile): Promise<ViewDefinition> {
  const { name, view } = readViewField(source);
  return { kind: "view", name, view, ...(await readAccountsField(source.at("accounts"), addFile)) };
}

readViewDefinition.schema = { anyOf: [readEvmView, readMoveView, readWasmView].map(({ schema }) => schema) };

function readViewField(source: Field): Pick<ViewDefinition, "name" | "view"> {
  if (source.names.includes("query")) {
    const { name, contract: address, query, field } = readWasmView(source);
    return { name, view: { vm: "wasm", contract: address, query, field } };
  }
  if (source.names.includes("contract")) {
    const { name, contract: address, function: called } = readEvmView(source);
    return { name, view: { vm: "evm", contract: address, function: called } };
  }
  const { name, function: called, type_args: typeArgs = [] } = readMoveView(source);
  return { name, view: { vm: "move", ...called, typeArgs } };
}

function readEvmFunction(field: Field): AbiFunction {
  const signature = text(field);
  const example = "function supplied(address account) view returns (uint256)";
  let item: unknown;
  try {
    item = parseAbiItem(signature);
  } catch (cause) {
    throw policyInvalid(field.place, `is ${quoteText(signature)}; write it as in Solidity: ${example}`, { cause });
  }
  if (isFunction(item) && isIntegerOfAccount(item)) return item;
  return field.failExpected(`a view from one address to one integer, as in ${example}`);
}

function isFunction(item: unknown): item is AbiFunction {
  return typeof item === "object" && item !== null && "type" in item && item.type === "function";
}

function isIntegerOfAccount({ stateMutability, inputs, outputs }: AbiFunction): boolean {
  const isRead = stateMutability === "view" || stateMutability === "pure";
  const isOfAccount = inputs.length === 1 && inputs[0]?.type === "address";
  return isRead && isOfAccount && outputs.length === 1 && /^u?int\d*$/.test(outputs[0]?.type ?? "");
}

function readMoveFunction(field: Field): Pick<MoveView, "address" | "module" | "function"> {
  const [, address = "", module = "", name = ""] = /^(0x[0-9a-f]{1,64})::(\w+)::(\w+)$/i.exec(text(field)) ?? [];
  if (name === "") field.failExpected("a function of Move, 0x1::module::name, or the contract too");
  return { address: address.toLowerCase(), module, function: name };
}

function readQuery(field: Field): string {
  const query = text(field);
  if (query.includes("{account}") && isJson(query)) return query;
  return field.failExpected(`JSON with {account} in it, such as '{"balance":{"address":"{account}"}}'`);
}

function isJson(query: string): boolean {
  try {
    JSON.parse(query);
    return true;
  } catch {
    return false;
  }
}
