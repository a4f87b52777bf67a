import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import type { ContractInfo } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { type Account, type PinnedOptions, type ReadOptions, type ScoreRow, type Stage } from "@vipscore/core";
import { readPages, type PagesOptions, type ReadPages } from "@vipscore/core/engine";
import { Answer, queryChain, QueryError, undefinedIf, type JsonRpc, type ReadAnswer } from "@vipscore/core/wire";
import type { AccountScore, QueryMsg, ScoresFromResponse, ScoresResponse } from "./vipScoreTypes.generated.ts";
import { accountOfAddress, addressOf } from "./wasmAddress.ts";

export interface ContractReader {
  readonly comet: JsonRpc;
  /** The contract's address in bech32. */
  readonly address: string;
}

/** An answer of a contract, with the field names of its schema. */
export interface AnswerOf<T> extends Omit<Answer, "field" | "optional"> {
  field(name: keyof T & string): Answer;
  optional(name: keyof T & string): Answer | undefined;
}

/** Queries the contract at a height (default: the newest); `read` gets whole numbers as bigint. @throws QueryError; NodeError. */
export function querySmart<T>(
  { comet, address }: ContractReader,
  message: QueryMsg,
  read: ReadAnswer<T>,
  options: ReadOptions = {},
): Promise<T> {
  const queryData = Buffer.from(stringifyExact(message) ?? "");
  const title = `query ${Object.keys(message).join()}`;
  const smartState = {
    path: "/cosmwasm.wasm.v1.Query/SmartContractState",
    request: QuerySmartContractStateRequest.encode({ address, queryData }).finish(),
    decode: (value: Uint8Array) => read(openJson(comet, title, QuerySmartContractStateResponse.decode(value).data)),
  };
  return queryChain(comet, smartState, options);
}

/** {@link querySmart}; undefined if the contract does not have the query or refuses it. */
export function findSmart<T>(
  reader: ContractReader,
  message: QueryMsg,
  read: ReadAnswer<T>,
  options: ReadOptions = {},
): Promise<T | undefined> {
  return undefinedIf(isContractRefusal, querySmart(reader, message, read, options));
}

/** Reads a JSON value of the contract's store, with whole numbers as bigint; undefined if it does not have the key. */
export function findStored<T>(
  { comet, address }: ContractReader,
  key: Buffer,
  read: ReadAnswer<T>,
  options: ReadOptions = {},
): Promise<T | undefined> {
  const rawState = {
    path: "/cosmwasm.wasm.v1.Query/RawContractState",
    request: QueryRawContractStateRequest.encode({ address, queryData: key }).finish(),
    decode: (value: Uint8Array) => {
      const { data } = QueryRawContractStateResponse.decode(value);
      return data.length === 0 ? undefined : read(openJson(comet, "stored value", data));
    },
  };
  return queryChain(comet, rawState, options);
}

/** Reads the chain's record of a contract; undefined if there is none at that height. */
export function findContract(
  { comet, address }: ContractReader,
  options: ReadOptions = {},
): Promise<ContractInfo | undefined> {
  const contractInfo = {
    path: "/cosmwasm.wasm.v1.Query/ContractInfo",
    request: QueryContractInfoRequest.encode({ address }).finish(),
    decode: (value: Uint8Array) => QueryContractInfoResponse.decode(value).contractInfo,
  };
  return undefinedIf(isNoContract, queryChain(comet, contractInfo, options));
}

function isContractRefusal(error: unknown): boolean {
  return error instanceof QueryError && (error.isOfContract || /wasmvm error/.test(error.details ?? ""));
}

function isNoContract(error: unknown): boolean {
  return error instanceof QueryError && /not found|no such contract/i.test(error.details ?? "");
}

/** Parses JSON from a contract or its store. */
function openJson({ endpoint }: JsonRpc, title: string, bytes: Uint8Array): Answer {
  return new Answer({ endpoint, title }, Buffer.from(bytes).toString()).json(parseExact);
}

/**
 * JSON as CosmWasm contracts use it: a u64 is a number, even above 2^53, where `JSON.parse` would round. Here whole numbers
 * are `bigint` in both directions.
 */

/** Not in lib.es2023 yet, but in Node 22. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same object, with two newer members
const json = JSON as unknown as { parse(text: string, reviver: Reviver): unknown; rawJSON(text: string): object };

/** Parses JSON; every whole number becomes a bigint, other numbers stay numbers. @throws SyntaxError. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_, value, context) => {
    if (typeof value !== "number") return value;
    const source = context?.source ?? "";
    return /^-?\d{1,40}$/.test(source) ? BigInt(source) : value;
  });
}

/** Serializes a value, with every bigint as a number; undefined for a value without a JSON form. */
export function stringifyExact(value: unknown): string | undefined {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? json.rawJSON(part.toString()) : part));
}

/**
 * Ascending order of rows: on the reference contract, and in a stage that it finalized before a migration, by the texts of
 * addresses; in other stages of our contract by their bytes.
 */
export type AddressOrder = "text" | "bytes";

/** A page of rows, and the address of its last one. */
export interface RowPage {
  readonly rows: readonly ScoreRow[];
  readonly last: string | undefined;
}

/**
 * Reads a page of `{scores: [{addr, score}]}`, which must ascend from `after` (exclusive) on: a node that repeats a page
 * would make the caller's loop endless.
 */
export function readRowPage(
  answer: AnswerOf<Pick<ScoresFromResponse, "scores">>,
  after: string | undefined,
  order: AddressOrder,
): RowPage {
  let last = after;
  const rows = readList(answer, "scores").map((row: AnswerOf<AccountScore>) => {
    const address = row.field("addr");
    last = readAscending(address, last, order);
    // Contracts of the reference's shape may contain texts that are not addresses; nobody can push or prove such a row.
    return { account: readAccount(address), score: readU64(row.field("score")) };
  });
  return { rows, last };
}

/** Yields the rows of a stage in pages of the published query. */
export function readRows(
  reader: ContractReader,
  stage: Stage,
  { order, ...options }: PinnedOptions & PagesOptions & { readonly order: AddressOrder },
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const { limit } = options;
  const read: ReadPages = (starts, signal) =>
    Promise.all(
      starts.map(({ after: account, left }) => {
        const after = account && addressOf(account);
        const message = {
          get_scores: { stage, limit: BigInt(limit), ...(after === undefined ? {} : { start_after: after }) },
        };
        const readRowsOf = (answer: AnswerOf<ScoresResponse>): readonly ScoreRow[] => {
          const { rows } = readRowPage(answer, after, order);
          if (rows.length <= left) return rows;
          return answer.field("scores").unreadable(`a list of at most the ${left} remaining rows`);
        };
        return querySmart(reader, message, readRowsOf, { ...options, signal });
      }),
    );
  return readPages(read, options);
}

/** An address that must come after another one, if there is one. */
export function readAscending(answer: Answer, after: string | undefined, order: AddressOrder): string {
  const text = answer.text();
  const keyOf = (address: string): string => (order === "text" ? address : (accountOfAddress(address) ?? address));
  return after === undefined || keyOf(text) > keyOf(after) ? text : answer.unreadable(`beyond ${after}`);
}

export function readAccount(answer: Answer): Account {
  return accountOfAddress(answer.value) ?? answer.unreadable("an address");
}

/** A u64 in a contract's answer, where it is a number, not a text. */
export function readU64(answer: Answer): bigint {
  return typeof answer.value === "bigint" ? answer.u64() : answer.unreadable("a u64");
}

/** A field that is a list. Unlike Go, contracts do not omit empty lists. */
export function readList<T>(answer: AnswerOf<T>, name: keyof T & string): readonly Answer[] {
  return answer.optional(name)?.list() ?? answer.field(name).unreadable("a list");
}
