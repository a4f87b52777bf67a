import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import type { ContractInfo } from "cosmjs-types/cosmwasm/wasm/v1/types";
import type { ReadOptions } from "@vipscore/core";
import { Answer, queryChain, QueryError, undefinedIf, type JsonRpc, type ReadAnswer } from "@vipscore/core/wire";
import { parseExact, stringifyExact } from "./exactJson.ts";
import type { QueryMsg } from "./vipScoreTypes.generated.ts";

/** A contract on a chain, to read from. */
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

/**
 * Queries the contract at a height. Default: the newest.
 *
 * @param read - Reads the contract's answer: JSON with whole numbers as bigint.
 * @throws QueryError when the contract refuses or does not exist; NodeError.
 */
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
