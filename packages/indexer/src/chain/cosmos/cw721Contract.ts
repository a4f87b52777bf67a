import { isUtf8 } from "node:buffer";
import {
  QueryContractInfoRequest,
  QueryContractInfoResponse,
  QuerySmartContractStateRequest,
  QuerySmartContractStateResponse,
} from "cosmjs-types/cosmwasm/wasm/v1/query";
import { PrunedState } from "@vipscore/blocks";
import {
  allValues,
  firstValue,
  queryState,
  queryStateAt,
  readBech32,
  type Attributes,
  type CometNode,
  type VmEvent,
} from "@vipscore/blocks/cosmos";
import { isMissingQuery, parseObject, QueryError, type ChainQuery } from "@vipscore/core/wire";
import type { CollectionSeen, HexAddress, NftChange, TokenMinted, UriRead } from "../nftChain.ts";

/** A contract on a chain and the block after which it is queried. */
export interface AskedContract {
  readonly contract: ContractReference;
  readonly node: CometNode;
  readonly height: number;
  readonly signal: AbortSignal;
}

/** Returns a contract's collection; undefined if it does not return a name as CW-721 requires. */
export async function findCollection(asked: AskedContract): Promise<CollectionSeen | undefined> {
  const name =
    textField(await askContract(asked, { contract_info: {} }, parseAnswer), "name") ??
    // The query's name since cw721 0.19; 0.22 still has the older one.
    textField(await askContract(asked, { get_collection_info_and_extension: {} }, parseAnswer), "name");
  if (name === undefined) return undefined;
  const creator = await findCreator(asked);
  if (creator === undefined) return undefined;
  return { kind: "collection", collectionAddr: asked.contract.collectionAddr, name, creator };
}

/** The owner of a token; undefined if the contract has no such token. */
export async function findOwner(asked: AskedContract, tokenId: string): Promise<HexAddress | undefined> {
  return readBech32(
    textField(await askContract(asked, { owner_of: { token_id: tokenId } }, parseAnswer), "owner") ?? "",
  );
}

/** The owner of a token in the state after the block, and no other; undefined if the contract has no such token. */
export async function findOwnerAt(asked: AskedContract, tokenId: string): Promise<HexAddress | undefined> {
  return readBech32(textField(await askAt(asked, { owner_of: { token_id: tokenId } }), "owner") ?? "");
}

/** The URI of a token; empty if the contract returns none. U+FFFD replaces invalid UTF-8. */
export async function findUri(asked: AskedContract, tokenId: string): Promise<Pick<UriRead, "uri" | "notRead">> {
  const decode = (data: Uint8Array) => {
    const uri = textField(parseAnswer(data), "token_uri") ?? "";
    const isWhole = isUtf8(data) || !uri.includes("\uFFFD");
    return { uri, notRead: isWhole ? undefined : "a part of a URI: invalid UTF-8" };
  };
  const lost = { uri: "", notRead: `the URI of token ${tokenId}: the query ran out of gas` };
  return (await askContract(asked, { nft_info: { token_id: tokenId } }, decode, lost)) ?? { uri: "" };
}

/** How many tokens a contract says it has in the state after the block, and no other; undefined if it does not say it. */
export async function findTokenCount(asked: AskedContract): Promise<number | undefined> {
  try {
    const count = (await askAt(asked, { num_tokens: {} }))?.["count"];
    return Number.isSafeInteger(count) ? Number(count) : undefined;
  } catch (error) {
    if (error instanceof PrunedState || isMissingQuery(error)) return undefined;
    throw error;
  }
}

/** A contract's answer in the state after the block, and no other; undefined if it refuses or fails. */
async function askAt(asked: AskedContract, query: object): Promise<Fields | undefined> {
  try {
    return await queryStateAt(asked.node, smartQuery(asked, query, parseAnswer), asked.height, asked.signal);
  } catch (error) {
    if (error instanceof QueryError && error.isOfContract) return undefined;
    throw error;
  }
}

async function findCreator({ node, contract, height, signal }: AskedContract): Promise<HexAddress | undefined> {
  const path = "/cosmwasm.wasm.v1.Query/ContractInfo";
  const request = QueryContractInfoRequest.encode({ address: contract.address }).finish();
  const decode = (answer: Uint8Array) => QueryContractInfoResponse.decode(answer).contractInfo.creator;
  return readBech32(await queryState(node, { path, request, decode }, height, signal));
}

/** A contract's decoded answer; undefined if it refuses or fails. @throws the refusal of the node, which says nothing about it. */
async function askContract<T>(
  asked: AskedContract,
  query: object,
  decode: Decode<T>,
  whenOutOfGas?: T,
): Promise<T | undefined> {
  try {
    return await queryState(asked.node, smartQuery(asked, query, decode), asked.height, asked.signal);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { details = "", isOfContract } = error;
    if (details.includes("out of gas")) return whenOutOfGas;
    if (isOfContract || details.includes("no such contract")) return undefined;
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

type Fields = NonNullable<ReturnType<typeof parseObject>>;

/** Parses a JSON object; returns undefined for anything else. */
function parseAnswer(data: Uint8Array): Fields | undefined {
  return parseObject(Buffer.from(data).toString());
}

function textField(answer: Fields | undefined, field: string): string | undefined {
  const value = answer?.[field];
  return typeof value === "string" ? value : undefined;
}

/*
 * The events of CW-721 contracts, as in cw721 0.22 and earlier (crate cw721, `src/execute.rs`): `mint` with `owner`
 * and, from 0.21 on, `token_uri`; `transfer_nft` and `send_nft` with `recipient`; `burn`; `update_nft_info` with
 * `token_uri`; each with `token_id`. wasmd trims values, so a token ID with surrounding white space has another ID in
 * events: that ID is stored.
 */

/** A contract with an event about a token; its answers show whether it is a collection. */
export interface ContractReference {
  /** In bech32, as the chain writes it. */
  readonly address: string;
  readonly collectionAddr: HexAddress;
}

/** A token that an event is about. */
export interface Cw721Event {
  readonly contract: ContractReference;
  readonly tokenId: string;
  readonly txHash: string;
  /** Undefined if the event is incomplete, or the contract's own: the contract must be queried. */
  readonly change: NftChange | undefined;
}

const tokenActions: ReadonlySet<string> = new Set(["mint", "transfer_nft", "send_nft", "burn", "update_nft_info"]);

/**
 * Keys of the attributes that name tokens. Contracts that mint, move or burn several at once name them in one attribute, or the
 * first and the last in two (public-awesome/launchpad).
 */
const tokenKeys = /(?:^|_)token_?ids?$/i;

/** The keys of the first and the last. */
const rangeKeys = [/^(?:first|from|start)/i, /^(?:end|last|to_)/i] as const;

/** Maximum tokens of a range: as many as of a log of ERC-2309. */
const maxRange = 100_000;

/** The tokens that attributes name: each in a list or a range, and one with commas both as a whole and in parts. */
function namedTokens(attributes: Attributes): readonly string[] {
  const named = attributes.filter(([key]) => tokenKeys.test(key));
  const ends = rangeKeys.map((keys) => named.find(([key]) => keys.test(key))?.[1] ?? "");
  const ids = named.flatMap(([key, text]) => {
    const parts = text
      .replaceAll(/^\[|"|\]$/g, "")
      .split(",")
      .map((part) => part.trim());
    return /s$/i.test(key) ? parts.flatMap(tokensIn) : parts.concat(text);
  });
  return [...new Set(ends.includes("") ? ids : [...ids, ...tokensIn(ends.join("-"))])].filter((id) => id !== "");
}

/** The tokens of a range such as `7-9`, or the only one. */
function tokensIn(text: string): readonly string[] {
  const [, first = "", last = ""] = /^(\d+) *(?:-|\.\.=?|:|to) *(\d+)$/.exec(text) ?? [];
  const size = Number(BigInt(last) - BigInt(first)) + 1;
  if (size < 2 || size > maxRange) return [text];
  return Array.from({ length: size }, (_, index) => `${BigInt(first) + BigInt(index)}`);
}

/** Actions that change neither the owner nor the URI of a token. */
const otherActions: ReadonlySet<string> = new Set(["approve", "revoke"]);

/**
 * True for an event that may come from a CW-721 contract; a CW-20 contract has the same actions, but no token IDs. Contracts
 * add actions and events of their own (sg721-updatable: `wasm-update_update_token_metadata`), so any with a token ID counts.
 */
export function isCw721Event({ type, attributes }: VmEvent): boolean {
  if (!(type === "wasm" || type.startsWith("wasm-")) || !attributes.some(([key]) => tokenKeys.test(key))) return false;
  const actions = allValues(attributes, "action");
  return actions.length === 0 || actions.some((action) => !otherActions.has(action));
}

/**
 * Returns the contract of an event that reveals a collection before its first token: with a `minter`, and a `creator`
 * or an `owner`, as emitted when cw721 is instantiated. A real indexer uses these to find collections
 * (initia-labs/rollytics, `indexer/collector/wasm-nft/prepare.go`). Undefined for any other event.
 */
export function readNewCollection({ type, attributes }: VmEvent): ContractReference | undefined {
  const has = (key: string): boolean => firstValue(attributes, key) !== undefined;
  if (type !== "wasm" || !has("minter") || !(has("creator") || has("owner"))) return undefined;
  return readContractAttribute(attributes);
}

/** wasmd puts the contract first and accepts no contract attribute that begins with an underscore. */
function readContractAttribute(attributes: Attributes): ContractReference | undefined {
  const address = firstValue(attributes, "_contract_address") ?? "";
  const collectionAddr = readBech32(address);
  return collectionAddr && { address, collectionAddr };
}

/** Returns what an event says about each of its tokens; empty if it is not from a CW-721 contract. */
export function readCw721Event(event: VmEvent, txHash: string): readonly Cw721Event[] {
  const { attributes } = event;
  const contract = readContractAttribute(attributes);
  if (contract === undefined || !isCw721Event(event)) return [];
  const actions =
    event.type === "wasm" ? allValues(attributes, "action").filter((action) => tokenActions.has(action)) : [];
  const [tokenId, ...otherIds] = allValues(attributes, "token_id");
  const [action, ...moreActions] = actions;
  const isOne = otherIds.length + moreActions.length === 0;
  const isPlain = isOne && attributes.every(([key]) => key === "token_id" || !tokenKeys.test(key));
  if (!isPlain || tokenId === undefined || action === undefined)
    return namedTokens(attributes).map((each) => ({ contract, tokenId: each, txHash, change: undefined }));
  const { collectionAddr } = contract;
  return [{ contract, tokenId, txHash, change: readPlain({ collectionAddr, tokenId }, action, attributes, txHash) }];
}

function readPlain(
  token: Pick<TokenMinted, "collectionAddr" | "tokenId">,
  action: string,
  attributes: Attributes,
  txHash: string,
): NftChange | undefined {
  const only = (key: string): string | undefined => {
    const values = allValues(attributes, key);
    return values.length === 1 ? values[0] : undefined;
  };
  if (action === "burn") return { kind: "burned", token, txHash };
  const uri = only("token_uri");
  if (action === "update_nft_info") return uri === undefined ? undefined : { kind: "uriChanged", token, uri, txHash };
  const owner = readBech32(only(action === "mint" ? "owner" : "recipient") ?? "");
  if (owner === undefined) return undefined;
  if (action !== "mint") return { kind: "transferred", token, owner, txHash };
  // cw721 writes this word for an empty URI.
  return { kind: "minted", ...token, objectAddr: undefined, owner, uri: uri === "empty" ? undefined : uri, txHash };
}

/**
 * Returns what an event changes. If the event does not say it, asks for the token's owner after the block, and has its URI read.
 *
 * @param find - {@link findOwner} or {@link findOwnerAt}.
 */
export async function cw721Changes(
  asked: AskedContract,
  { tokenId, txHash, change }: Cw721Event,
  find: typeof findOwner,
): Promise<readonly NftChange[]> {
  if (change !== undefined) return [change];
  const token = { collectionAddr: asked.contract.collectionAddr, tokenId };
  const owner = await find(asked, tokenId);
  if (owner === undefined) return [{ kind: "burned", token, txHash }];
  return [
    { kind: "transferred", token, owner, txHash },
    { kind: "uriChanged", token, uri: undefined, txHash },
  ];
}
