import { isUtf8 } from "node:buffer";
import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { queryState, queryStateAt, readBech32, type CometNode } from "@vipscore/blocks/cosmos";
import { isObject, QueryError, type ChainQuery } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress, UriRead } from "../nftChain.ts";
import type { ContractReference } from "./cw721Events.ts";

/** A contract on a chain and the block after which it is queried. */
export interface AskedContract {
  readonly contract: ContractReference;
  readonly node: CometNode;
  readonly height: number;
  readonly signal: AbortSignal;
}

/**
 * Returns a contract's collection; undefined if it does not return a name as CW-721 requires.
 *
 * @throws NodeError
 */
export async function findCollection(asked: AskedContract): Promise<CollectionSeen | undefined> {
  const name =
    readText(await askContract(asked, { contract_info: {} }, parse), "name") ??
    // The query's name since cw721 0.19; 0.22 still has the older one.
    readText(await askContract(asked, { get_collection_info_and_extension: {} }, parse), "name");
  if (name === undefined) return undefined;
  const creator = await findCreator(asked);
  if (creator === undefined) return undefined;
  return { kind: "collection", collectionAddr: asked.contract.collectionAddr, name, creator };
}

/** The owner of a token; undefined if the contract has no such token. @throws NodeError */
export async function findOwner(asked: AskedContract, tokenId: string): Promise<HexAddress | undefined> {
  const owner = readText(await askContract(asked, { owner_of: { token_id: tokenId } }, parse), "owner");
  return readBech32(owner ?? "");
}

/**
 * The owner of a token in the state after the block, and no other; undefined if the contract has no such token.
 *
 * @throws PrunedState; NodeError
 */
export async function findOwnerAt(asked: AskedContract, tokenId: string): Promise<HexAddress | undefined> {
  const query = smartQuery(asked, { owner_of: { token_id: tokenId } }, parse);
  try {
    const answer = await queryStateAt(asked.node, query, asked.height, asked.signal);
    return readBech32(readText(answer, "owner") ?? "");
  } catch (error) {
    if (error instanceof QueryError && error.isOfContract) return undefined;
    throw error;
  }
}

/** The URI of a token; empty if the contract returns none. U+FFFD replaces invalid UTF-8. @throws NodeError */
export async function findUri(asked: AskedContract, tokenId: string): Promise<Pick<UriRead, "uri" | "notRead">> {
  const decode = (data: Uint8Array) => {
    const uri = readText(parse(data), "token_uri") ?? "";
    const isWhole = isUtf8(data) || !uri.includes("\uFFFD");
    return { uri, notRead: isWhole ? undefined : "a part of a URI: invalid UTF-8" };
  };
  return (await askContract(asked, { nft_info: { token_id: tokenId } }, decode)) ?? { uri: "" };
}

/** The contract's creator, according to the chain. */
async function findCreator({ node, contract, height, signal }: AskedContract): Promise<HexAddress | undefined> {
  const path = "/cosmwasm.wasm.v1.Query/ContractInfo";
  const request = QueryContractInfoRequest.encode({ address: contract.address }).finish();
  const decode = (answer: Uint8Array) => QueryContractInfoResponse.decode(answer).contractInfo.creator;
  return readBech32(await queryState(node, { path, request, decode }, height, signal));
}

/** A contract's decoded answer; undefined if it refuses or fails. */
async function askContract<T>(asked: AskedContract, query: object, decode: Decode<T>): Promise<T | undefined> {
  try {
    return await queryState(asked.node, smartQuery(asked, query, decode), asked.height, asked.signal);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

type Decode<T> = (data: Uint8Array) => T;

function smartQuery<T>({ contract }: AskedContract, query: object, decode: Decode<T>): ChainQuery<T> {
  const queryData = Buffer.from(JSON.stringify(query));
  return {
    path: "/cosmwasm.wasm.v1.Query/SmartContractState",
    request: QuerySmartContractStateRequest.encode({ address: contract.address, queryData }).finish(),
    decode: (answer) => decode(QuerySmartContractStateResponse.decode(answer).data),
  };
}

/** Parses JSON; returns undefined for anything else. */
function parse(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch {
    return undefined;
  }
}

function readText(answer: unknown, field: string): string | undefined {
  const value = isObject(answer) ? answer[field] : undefined;
  return typeof value === "string" ? value : undefined;
}
