import { queryStateAt, requestsAtOnce, type CometNode } from "@vipscore/blocks/cosmos";
import { formatBech32, type Account } from "@vipscore/core";
import { inParallel, isObject, QueryError, type ChainQuery } from "@vipscore/core/wire";
import { sourceInvalid } from "../../policyError.ts";
import { decodeField, encodeFields } from "./protoFields.ts";
import type { AccountValues } from "./stateSource.ts";
import type { MoveView, WasmView } from "./viewDefinition.ts";

/** The query about each account. */
interface Question {
  /** The query's path, such as `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly path: string;
  readonly requestFor: (account: Account) => Uint8Array;
  /** Finds the integer in the answer, as the chain writes it; undefined if it has no integer. */
  readonly read: (answer: Uint8Array) => unknown;
}

/** The balances of accounts on Move and Wasm, in a denomination. */
export function cosmosBalances(name: string, denom: string, node: CometNode): AccountValues {
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
  return { column: "amount", identity: { denom }, read: reader(`${name}: the balance in ${denom}`, question, node) };
}

/** The answers of a view function of Move, called with each account. */
export function moveView(name: string, view: MoveView, node: CometNode): AccountValues {
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
    read: reader(title, question, node),
  };
}

/** The answers of a Wasm contract to a query about each account. */
export function wasmView(name: string, { contract, query, field }: WasmView, node: CometNode): AccountValues {
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
  return { column: "value", identity: { contract, query, field }, read: reader(title, question, node) };
}

function reader(title: string, { path, requestFor, read }: Question, node: CometNode): AccountValues["read"] {
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
