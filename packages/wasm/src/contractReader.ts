import type { ReadOptions } from "@vipscore/core";
import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QueryRawContractStateRequest,
  QueryRawContractStateResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import type { ContractInfo } from "cosmjs-types/cosmwasm/wasm/v1/types";
import { QueryError } from "./cometErrors.ts";
import type { CometRpc } from "./cometRpc.ts";
import { parseExact, stringifyExact } from "./exactJson.ts";
import { queryChain, type ChainQuery } from "./queryChain.ts";
import { unreadable, type Source } from "./readField.ts";

/** A contract on a chain, to read from. */
export interface ContractReader {
  readonly comet: CometRpc;
  /** The contract's address in bech32. */
  readonly address: string;
}

/** A value with where it came from. */
export interface Found {
  readonly source: Source;
  /** JSON with whole numbers as bigint. */
  readonly value: unknown;
}

const smartState: ChainQuery<QuerySmartContractStateRequest, QuerySmartContractStateResponse> = {
  path: "/cosmwasm.wasm.v1.Query/SmartContractState",
  request: QuerySmartContractStateRequest,
  response: QuerySmartContractStateResponse,
};

const rawState: ChainQuery<QueryRawContractStateRequest, QueryRawContractStateResponse> = {
  path: "/cosmwasm.wasm.v1.Query/RawContractState",
  request: QueryRawContractStateRequest,
  response: QueryRawContractStateResponse,
};

const contractInfo: ChainQuery<QueryContractInfoRequest, QueryContractInfoResponse> = {
  path: "/cosmwasm.wasm.v1.Query/ContractInfo",
  request: QueryContractInfoRequest,
  response: QueryContractInfoResponse,
};

/**
 * Asks the contract a query at a height (the newest when absent).
 *
 * @throws QueryError when the contract refuses or there is none; NodeError.
 */
export async function querySmart(
  { comet, address }: ContractReader,
  message: object,
  options: ReadOptions = {},
): Promise<Found> {
  const queryData = Buffer.from(stringifyExact(message) ?? "");
  const { data } = await queryChain(comet, smartState, { address, queryData }, options);
  return decodeJson({ endpoint: comet.endpoint, title: `query ${Object.keys(message).join()}` }, data);
}

/** {@link querySmart}; undefined where the contract does not have the query or refuses it. */
export async function findSmart(
  reader: ContractReader,
  message: object,
  options: ReadOptions = {},
): Promise<Found | undefined> {
  try {
    return await querySmart(reader, message, options);
  } catch (error) {
    if (error instanceof QueryError && /query wasm contract failed|wasmvm error/.test(error.details ?? ""))
      return undefined;
    throw error;
  }
}

/** Reads one value of the contract's store; undefined where it has no such key. */
export async function findBytes(
  { comet, address }: ContractReader,
  key: Buffer,
  options: ReadOptions = {},
): Promise<Uint8Array | undefined> {
  const { data } = await queryChain(comet, rawState, { address, queryData: key }, options);
  return data.length === 0 ? undefined : data;
}

/** {@link findBytes} of a value that is JSON. @throws NodeError `NODE_BAD_RESPONSE` where it is none. */
export async function findStored(
  reader: ContractReader,
  key: Buffer,
  options: ReadOptions = {},
): Promise<Found | undefined> {
  const data = await findBytes(reader, key, options);
  return data && decodeJson({ endpoint: reader.comet.endpoint, title: "stored value" }, data);
}

/** What the chain keeps of a contract; undefined where there is none at that height. */
export async function findContract(
  { comet, address }: ContractReader,
  options: ReadOptions = {},
): Promise<ContractInfo | undefined> {
  try {
    return (await queryChain(comet, contractInfo, { address }, options)).contractInfo;
  } catch (error) {
    if (error instanceof QueryError && /not found|no such contract/i.test(error.details ?? "")) return undefined;
    throw error;
  }
}

/** JSON that a contract or its store holds. */
function decodeJson(source: Source, data: Uint8Array): Found {
  const text = Buffer.from(data).toString("utf8");
  try {
    return { source, value: parseExact(text) };
  } catch {
    return unreadable(source, "JSON", text);
  }
}
