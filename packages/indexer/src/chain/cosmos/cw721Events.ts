import { allValues, firstValue, readBech32, type Attributes, type VmEvent } from "@vipscore/blocks/cosmos";
import type { HexAddress } from "../nftChain.ts";

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

/** The change of a token according to an event. */
export type Cw721Event = { readonly contract: ContractReference; readonly tokenId: string } & (
  | { readonly what: "minted"; readonly owner: HexAddress; readonly uri: string | undefined }
  | { readonly what: "transferred"; readonly owner: HexAddress }
  | { readonly what: "burned" }
  | { readonly what: "uriChanged"; readonly uri: string }
  /** The event is incomplete: the contract must be queried. */
  | { readonly what: "unclear" }
);

const tokenActions: ReadonlySet<string> = new Set(["mint", "transfer_nft", "send_nft", "burn", "update_nft_info"]);

/** True for an event that may come from a CW-721 contract; a CW-20 contract has the same actions, but no token IDs. */
export function isCw721Event({ type, attributes }: VmEvent): boolean {
  if (type !== "wasm" || firstValue(attributes, "token_id") === undefined) return false;
  return attributes.some(([key, value]) => key === "action" && tokenActions.has(value));
}

/**
 * Returns the contract of an event that reveals a collection before its first token: with a `minter`, and a `creator`
 * or an `owner`, as emitted when cw721 is instantiated. A real indexer uses these to find collections
 * (initia-labs/rollytics, `indexer/collector/wasm-nft/prepare.go`). Undefined for any other event.
 */
export function readNewCollection({ type, attributes }: VmEvent): ContractReference | undefined {
  const has = (key: string): boolean => firstValue(attributes, key) !== undefined;
  if (type !== "wasm" || !has("minter") || !(has("creator") || has("owner"))) return undefined;
  return readContract(attributes);
}

/** wasmd puts the contract first and accepts no contract attribute that begins with an underscore. */
function readContract(attributes: Attributes): ContractReference | undefined {
  const address = firstValue(attributes, "_contract_address") ?? "";
  const collectionAddr = readBech32(address);
  return collectionAddr && { address, collectionAddr };
}

/** Returns what an event says about each of its tokens; empty if it is not from a CW-721 contract. */
export function readCw721Event(event: VmEvent): readonly Cw721Event[] {
  const { attributes } = event;
  const contract = readContract(attributes);
  if (contract === undefined || !isCw721Event(event)) return [];
  const tokenIds = allValues(attributes, "token_id");
  const actions = allValues(attributes, "action").filter((action) => tokenActions.has(action));
  const [tokenId, ...otherIds] = tokenIds;
  const [action, ...otherActions] = actions;
  if (tokenId === undefined || action === undefined || otherIds.length > 0 || otherActions.length > 0)
    return tokenIds.map((each) => ({ contract, tokenId: each, what: "unclear" }));
  return [readPlain({ contract, tokenId }, action, event)];
}

function readPlain(
  token: Pick<Cw721Event, "contract" | "tokenId">,
  action: string,
  { attributes }: VmEvent,
): Cw721Event {
  const only = (key: string): string | undefined => {
    const values = allValues(attributes, key);
    return values.length === 1 ? values[0] : undefined;
  };
  if (action === "burn") return { ...token, what: "burned" };
  if (action === "update_nft_info") {
    const uri = only("token_uri");
    return uri === undefined ? { ...token, what: "unclear" } : { ...token, what: "uriChanged", uri };
  }
  const owner = readBech32(only(action === "mint" ? "owner" : "recipient") ?? "");
  if (owner === undefined) return { ...token, what: "unclear" };
  if (action !== "mint") return { ...token, what: "transferred", owner };
  const told = only("token_uri");
  // cw721 writes this word for an empty URI.
  return { ...token, what: "minted", owner, uri: told === "empty" ? undefined : told };
}
