import { parseAbiItem, type AbiFunction } from "viem";
import type { Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { AddFile } from "../../files/policyFile.ts";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { parseContract } from "../parseContract.ts";
import { readAccountsField, type AccountsField } from "./accountsField.ts";

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

/** A query of a Wasm contract. */
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

/** Reads the fields of a view. @throws InputError `POLICY_INVALID`; errors of {@link readAccountsField}. */
export async function readViewDefinition(name: string, table: TomlTable, addFile: AddFile): Promise<ViewDefinition> {
  const view = readView(table);
  return { kind: "view", name, view, ...(await readAccountsField(table, addFile)) };
}

function readView(table: TomlTable): ViewDefinition["view"] {
  if (table.names.includes("query")) return readWasmView(table);
  return table.names.includes("contract") ? readEvmView(table) : readMoveView(table);
}

function readEvmView(table: TomlTable): EvmView {
  const contract = parseContract(table.text("contract"), table.place("contract"), [20]);
  const text = table.text("function");
  const place = table.place("function");
  const example = "function supplied(address account) view returns (uint256)";
  let item: unknown;
  try {
    item = parseAbiItem(text);
  } catch (cause) {
    throw policyInvalid(place, `is ${quoteText(text)}; write it as in Solidity: ${example}`, { cause });
  }
  if (isFunction(item) && isIntegerOfAccount(item)) return { vm: "evm", contract, function: item };
  throw policyInvalid(place, `is ${quoteText(text)}; give a view from one address to one integer, as in ${example}`);
}

function isFunction(item: unknown): item is AbiFunction {
  return typeof item === "object" && item !== null && "type" in item && item.type === "function";
}

function isIntegerOfAccount({ stateMutability, inputs, outputs }: AbiFunction): boolean {
  const isRead = stateMutability === "view" || stateMutability === "pure";
  const isOfAccount = inputs.length === 1 && inputs[0]?.type === "address";
  return isRead && isOfAccount && outputs.length === 1 && /^u?int\d*$/.test(outputs[0]?.type ?? "");
}

function readMoveView(table: TomlTable): MoveView {
  const text = table.text("function");
  const [, address = "", module = "", name = ""] = /^(0x[0-9a-f]{1,64})::(\w+)::(\w+)$/i.exec(text) ?? [];
  if (name === "") {
    throw policyInvalid(
      table.place("function"),
      `is ${quoteText(text)}; give a function of Move, 0x1::module::name, or the contract too`,
    );
  }
  const typeArgs = table.names.includes("type_args") ? table.texts("type_args") : [];
  return { vm: "move", address: address.toLowerCase(), module, function: name, typeArgs };
}

function readWasmView(table: TomlTable): WasmView {
  const contract = parseContract(table.text("contract"), table.place("contract"), [20, 32]);
  const query = table.text("query");
  const field = table.text("field");
  if (!query.includes("{account}") || !isJson(query)) {
    throw policyInvalid(
      table.place("query"),
      `is ${quoteText(query)}; give JSON with {account} in it, such as '{"balance":{"address":"{account}"}}'`,
    );
  }
  return { vm: "wasm", contract, query, field };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
