import { queryState, type CometNode } from "@vipscore/blocks/cosmos";
import { allGiven, quantity, type EvmRpc } from "@vipscore/blocks/evm";
import { formatBech32, NodeError, parseAccount } from "@vipscore/core";
import { isObject, parseObject, QueryError } from "@vipscore/core/wire";
import type { PolicyChain } from "../chain/policyChain.ts";
import { selectSource } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import { sourceEmpty, sourceInvalid } from "../policyError.ts";
import { quoteName, type PolicySource, type SourceData } from "./policySource.ts";
import { decodeField, encodeFields } from "./state/openState.ts";

/** What a source selects its rows by. */
export type Selected =
  /** Contracts or collections, in lower-case hex, and the column that has that of each row. */
  | { readonly column: "contract" | "collection"; readonly contracts: readonly `0x${string}`[] }
  /** A type of Move events, `0x1::module::Structure`, perhaps with type arguments. */
  | { readonly moveType: string }
  /** A column of amounts: zero for every account is as good as no row. */
  | { readonly amounts: string }
  | undefined;

interface RowsOptions {
  readonly selected: Selected;
  readonly mayBeEmpty: boolean;
  /** Undefined for a source of a file. */
  readonly chain: PolicyChain | undefined;
}

/**
 * Makes a source refuse to select nothing: a misspelt name and a stage without events would give the same scores.
 *
 * `collect` also throws VipError `SOURCE_INVALID` if what has no rows does not exist at the window's end, and `SOURCE_EMPTY` for a
 * source without rows, or a collection without tokens, unless it may be empty; NodeError.
 */
export function requireRows(source: PolicySource, { selected, mayBeEmpty, chain }: RowsOptions): PolicySource {
  return {
    ...source,
    async collect(options) {
      const data = await source.collect(options);
      const problem = await findEmpty(data, selected);
      if (problem === undefined) return data;
      const { signal = new AbortController().signal } = options;
      if (chain !== undefined) await requireExisting(data.name, { ...problem, chain, signal });
      if (mayBeEmpty || problem.text === undefined) return data;
      throw sourceEmpty(
        `source ${data.name} ${problem.text}`,
        "Check names, types, addresses and the window: what is misspelt selects nothing.",
      );
    },
  };
}

/** What a source has no rows of. */
interface Missing {
  readonly contracts?: readonly `0x${string}`[];
  readonly moveType?: string;
  /** Undefined if it is enough that they exist. */
  readonly text?: string;
}

async function findEmpty(data: SourceData, selected: Selected): Promise<Missing | undefined> {
  const isEmpty = data.rows === 0;
  for (const { name } of isEmpty ? [] : data.columns.filter(({ nullable }) => nullable === true)) {
    if ((await distinctValues(data, name)).length === 0) return { text: `has no row with ${name}` };
  }
  const nothing = isEmpty ? { text: "selects nothing" } : {};
  if (selected === undefined || "moveType" in selected) return isEmpty ? { ...nothing, ...selected } : undefined;
  if ("amounts" in selected) {
    const values = isEmpty ? [] : await distinctValues(data, selected.amounts);
    return values.some((value) => value !== "0") ? undefined : { text: `has no account with ${selected.amounts}` };
  }
  const { column, contracts } = selected;
  const isOnly = contracts.length === 1 && !isEmpty;
  const found = new Set(isOnly ? contracts : isEmpty ? [] : await distinctValues(data, column));
  const missing = contracts.filter((contract) => !found.has(contract));
  if (missing.length === 0) return undefined;
  // A contract may have no event in a stage, but a collection has tokens.
  return {
    contracts: missing,
    ...(column === "contract" ? nothing : { text: `has no token of ${missing.join(", ")}` }),
  };
}

/** The values of a column as text, each once; more than enough of them. */
async function distinctValues(source: SourceData, column: string): Promise<readonly string[]> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  try {
    const name = quoteName(column);
    const values = `select distinct ${name}::varchar from (${selectSource(source)}) where ${name} is not null limit 100000`;
    return (await connection.runAndReadAll(values)).getRows().map(([value]) => String(value));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

interface Sought extends Missing {
  readonly chain: PolicyChain;
  readonly signal: AbortSignal;
}

/** @throws VipError `SOURCE_INVALID` for a contract or a type that the chain does not have; NodeError. */
async function requireExisting(name: string, { contracts = [], moveType, chain, signal }: Sought): Promise<void> {
  const { node, window } = chain;
  const { height } = window.last;
  const refuse = (problem: string): Error =>
    sourceInvalid(`source ${name}: ${problem} at the window's end, block ${height}`);
  if (node.vm === "evm") {
    const codes = await readCodes(node.rpc, contracts, height, signal);
    const without = contracts.filter((_, index) => codes[index] === "0x");
    if (without.length > 0) throw refuse(`${without.join(", ")} has no code`);
  } else if (node.vm === "wasm") {
    for (const contract of contracts) {
      const address = formatBech32(parseAccount(contract, { accountBytes: [20, 32] }));
      const query = { path: "/cosmwasm.wasm.v1.Query/ContractInfo", request: encodeFields([[1, address]]) };
      if ((await findState(node.comet, query, height, signal)) === undefined) throw refuse(`${address} is no contract`);
    }
  } else if (moveType !== undefined) {
    const [address = "", module = "", structure = ""] = moveType.replace(/<.*/, "").split("::");
    // QueryModuleRequest: address = 1, module_name = 2; QueryModuleResponse.module = 1, Module.abi = 3.
    const request = encodeFields([
      [1, address],
      [2, module],
    ]);
    const answer = await findState(node.comet, { path: "/initia.move.v1.Query/Module", request }, height, signal);
    if (answer === undefined) throw refuse(`there is no module ${address}::${module}`);
    const { structs } = parseObject(Buffer.from(decodeField(decodeField(answer, 1), 3)).toString("utf8")) ?? {};
    const isThere = Array.isArray(structs) && structs.some((item) => isObject(item) && item["name"] === structure);
    if (!isThere) throw refuse(`${address}::${module} has no structure ${structure}`);
  }
}

/** Reads the code of contracts after a block; in the newest one where the node no longer has that state. */
async function readCodes(
  rpc: EvmRpc,
  contracts: readonly `0x${string}`[],
  height: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const read = (tag: string, some: readonly string[]) =>
    rpc.readAll(
      some.map((contract) => ({ method: "eth_getCode", params: [contract, tag] })),
      (answer) => answer.hex(),
      signal,
    );
  const codes = await read(quantity(height), contracts);
  const newest = codes.some((code) => code instanceof NodeError) ? await read("latest", contracts) : [];
  return allGiven(codes.map((code, index) => (code instanceof NodeError ? (newest[index] ?? code) : code)));
}

/** A chain's texts for what it does not have; anything else is a refusal to answer. */
const absentTexts = /not found|no such|does not exist/i;

/** Reads a part of the state as bytes; undefined if the chain does not have it. */
async function findState(
  node: CometNode,
  query: { readonly path: string; readonly request: Uint8Array },
  height: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await queryState(node, { ...query, decode: (answer) => answer }, height, signal);
  } catch (error) {
    if (error instanceof QueryError && absentTexts.test(error.details ?? "")) return undefined;
    throw error;
  }
}
