import { BinaryReader, BinaryWriter, WireType } from "cosmjs-types/binary";
import type { AbiFunction } from "viem";
import { decodeFunctionResult, encodeFunctionData, parseAbiItem, toFunctionSignature } from "viem/utils";
import { queryStateAt, requestsAtOnce, type CometNode } from "@vipscore/blocks/cosmos";
import { readBalancesAt, readCallsAt, type EvmRpc } from "@vipscore/blocks/evm";
import { formatBech32, NodeError, type Account } from "@vipscore/core";
import { inParallel, isObject, QueryError, type ChainQuery } from "@vipscore/core/wire";
import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import { policyInvalid, sourceInvalid } from "../../policyError.ts";
import type { BalancesDefinition } from "./balancesDefinition.ts";
import { fieldsOfOtherVm, stateSource, type AccountValues } from "./stateSource.ts";
import type { EvmView, MoveView, ViewDefinition, WasmView } from "./viewDefinition.ts";

/** Opens a source of what accounts have after a block. */
export function balancesSource(definition: BalancesDefinition, node: RollupNode): ChainSource {
  const { name, denom, token } = definition;
  if (node.vm === "evm" && denom === undefined) {
    return stateSource(definition, evmBalances(definition, node.rpc), node);
  }
  if (node.vm !== "evm" && denom !== undefined && token === undefined) {
    return stateSource(definition, cosmosBalances(name, denom, node.comet), node);
  }
  throw fieldsOfOtherVm(definition, node);
}

/** Opens a source of what a contract answers for accounts. */
export function viewSource(definition: ViewDefinition, node: RollupNode): ChainSource {
  return stateSource(definition, openView(definition, node), node);
}

function openView(definition: ViewDefinition, node: RollupNode): AccountValues {
  const { name, view } = definition;
  if (node.vm === "evm" && view.vm === "evm") return evmView(definition, view, node.rpc);
  if (node.vm === "move" && view.vm === "move") return moveView(name, view, node.comet);
  if (node.vm === "wasm" && view.vm === "wasm") return wasmView(name, view, node.comet);
  throw fieldsOfOtherVm(definition, node);
}

const balanceOf = parseAbiItem("function balanceOf(address account) view returns (uint256)");

/** The balances of accounts on EVM: of an ERC-20 token, or the native ones. */
function evmBalances(definition: BalancesDefinition, rpc: EvmRpc): AccountValues {
  const { name, token } = definition;
  requireShort(definition);
  return {
    column: "amount",
    identity: { token: token ?? "native" },
    read: (batch, height, signal) =>
      token === undefined
        ? readBalancesAt(rpc, batch, height, signal)
        : readViewAt(rpc, { name, contract: token, view: balanceOf, accounts: batch, height, signal }),
  };
}

/** The answers of an EVM contract for accounts. */
function evmView(definition: ViewDefinition, { contract, function: view }: EvmView, rpc: EvmRpc): AccountValues {
  const { name } = definition;
  requireShort(definition);
  return {
    column: "value",
    identity: { contract, signature: toFunctionSignature(view), returns: view.outputs[0]?.type },
    read: (batch, height, signal) => readViewAt(rpc, { name, contract, view, accounts: batch, height, signal }),
  };
}

function requireShort({ name, accounts }: Pick<BalancesDefinition, "name" | "accounts">): void {
  const long = accounts.find((account) => account.length !== 42);
  if (long !== undefined) {
    throw policyInvalid(`policy.toml: source ${name}`, `asks for ${long}, which is not an account of an EVM rollup`);
  }
}

interface AskedView {
  readonly name: string;
  readonly contract: `0x${string}`;
  readonly view: AbiFunction;
  readonly accounts: readonly Account[];
  readonly height: number;
  readonly signal: AbortSignal;
}

async function readViewAt(rpc: EvmRpc, asked: AskedView): Promise<readonly bigint[]> {
  const { name, contract, view, accounts, height, signal } = asked;
  const abi = [view];
  const calls = accounts.map((account) => ({
    to: contract,
    data: encodeFunctionData({ abi, functionName: view.name, args: [account] }),
  }));
  const answers = await readCallsAt(rpc, calls, height, signal);
  return answers.map((answer, index) => {
    const place = `${name}: ${view.name} of ${contract} for ${accounts[index]} in block ${height}`;
    if (answer instanceof NodeError) {
      throw sourceInvalid(`${place} fails`, { metaMessages: [answer.shortMessage], cause: answer });
    }
    let value: unknown;
    try {
      value = decodeFunctionResult({ abi, functionName: view.name, data: answer });
    } catch (cause) {
      throw sourceInvalid(`${place} does not return an integer`, { cause });
    }
    // Small integers are numbers.
    return typeof value === "bigint" ? value : BigInt(Number(value));
  });
}

/** The query about each account. */
interface Question {
  /** The query's path, such as `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  readonly requestFor: (account: Account) => Uint8Array;
  /** Finds the integer in the answer, as the chain writes it; undefined if it has no integer. */
  readonly read: (answer: Uint8Array) => unknown;
}

/** The balances of accounts on Move and Wasm, in a denomination. */
function cosmosBalances(name: string, denom: string, node: CometNode): AccountValues {
  const question: Question = {
    path: "/cosmos.bank.v1beta1.Query/Balance",
    // QueryBalanceRequest: address = 1, denom = 2.
    requestFor: (account) =>
      encodeFields([
        [1, formatBech32(account)],
        [2, denom],
      ]),
    // QueryBalanceResponse.balance = 1, Coin.amount = 2.
    read: (answer) => decodeState(decodeField(decodeField(answer, 1), 2)),
  };
  return {
    column: "amount",
    identity: { denom },
    read: accountReader(`${name}: the balance in ${denom}`, question, node),
  };
}

/** The answers of a view function of Move, called with each account. */
function moveView(name: string, view: MoveView, node: CometNode): AccountValues {
  const { address, module, function: entry, typeArgs } = view;
  const question: Question = {
    path: "/initia.move.v1.Query/ViewJSON",
    // QueryViewJSONRequest: address = 1, module_name = 2, function_name = 3, type_args = 4, args = 5.
    requestFor: (account) =>
      encodeFields([
        [1, address],
        [2, module],
        [3, entry],
        ...typeArgs.map((type) => [4, type] as const),
        [5, JSON.stringify(account)],
      ]),
    // QueryViewJSONResponse.data = 1.
    read: (answer) => parseState(decodeField(answer, 1)),
  };
  const title = `${name}: ${address}::${module}::${entry}`;
  return {
    column: "value",
    identity: { function: `${address}::${module}::${entry}`, typeArgs },
    read: accountReader(title, question, node),
  };
}

/** The answers of a Wasm contract to a query about each account. */
function wasmView(name: string, { contract, query, field }: WasmView, node: CometNode): AccountValues {
  const question: Question = {
    path: "/cosmwasm.wasm.v1.Query/SmartContractState",
    // QuerySmartContractStateRequest: address = 1, query_data = 2.
    requestFor: (account) =>
      encodeFields([
        [1, formatBech32(contract)],
        [2, query.replaceAll("{account}", formatBech32(account))],
      ]),
    // QuerySmartContractStateResponse.data = 1.
    read: (answer) => {
      const data = parseState(decodeField(answer, 1));
      return isObject(data) && Object.hasOwn(data, field) ? data[field] : undefined;
    },
  };
  const title = `${name}: ${field} of ${contract}`;
  return { column: "value", identity: { contract, query, field }, read: accountReader(title, question, node) };
}

function accountReader(title: string, { path, requestFor, read }: Question, node: CometNode): AccountValues["read"] {
  const askFor = async (account: Account, height: number, signal: AbortSignal): Promise<bigint> => {
    const place = `${title} for ${account} in block ${height}`;
    const query: ChainQuery<unknown> = { path, request: requestFor(account), decode: read };
    let answer: unknown;
    try {
      answer = await queryStateAt(node, query, height, signal);
    } catch (error) {
      if (!(error instanceof QueryError) || error.isTransient) throw error;
      throw sourceInvalid(`${place} fails`, { metaMessages: [error.shortMessage], cause: error });
    }
    const value = integerOf(answer);
    if (value === undefined) throw sourceInvalid(`${place} is not an integer`);
    return value;
  };
  return (accounts, height, signal) =>
    inParallel(accounts, requestsAtOnce, (account) => askFor(account, height, signal));
}

/** Chains write integers above 32 bits as text. */
function integerOf(value: unknown): bigint | undefined {
  if (typeof value === "string" && /^-?\d{1,100}$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

function parseState(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeState(bytes));
  } catch {
    return undefined;
  }
}

function decodeState(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

/** A field of a protobuf message: its number, and its text or bytes. */
type ProtoField = readonly [number: number, value: string | Uint8Array];

/** Encodes a message whose fields are all texts, bytes or messages. */
export function encodeFields(fields: readonly ProtoField[]): Uint8Array {
  const writer = BinaryWriter.create();
  for (const [number, value] of fields) writer.tag(number, WireType.Bytes).bytes(Buffer.from(value));
  return writer.finish();
}

/** Reads a field of a message that is a text, bytes or a message; empty if it is absent. */
export function decodeField(message: Uint8Array, wanted: number): Uint8Array {
  try {
    return lastField(new BinaryReader(message), wanted);
  } catch (cause) {
    throw new Error("the answer is not a protobuf message", { cause });
  }
}

function lastField(reader: BinaryReader, wanted: number): Uint8Array {
  let found: Uint8Array = new Uint8Array();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    // The last one counts.
    if (number === wanted && type === WireType.Bytes) found = reader.bytes();
    else reader.skipType(type);
  }
  return found;
}
