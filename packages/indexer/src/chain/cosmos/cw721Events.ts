import type { HexAddress } from "../nftChain.ts";
import { allValues, firstValue, type Attributes, type VmEvent } from "./blockEvents.ts";
import { readBech32 } from "./cosmosAddress.ts";

/*
 * The events of CW-721 contracts, as cw721 0.22 and the versions before it tell them (crate cw721, `src/execute.rs`):
 * `mint` with `owner` and, from 0.21 on, `token_uri`; `transfer_nft` and `send_nft` with `recipient`; `burn`;
 * `update_nft_info` with `token_uri`; each with `token_id`. wasmd cuts the white space around a value, so a token whose id
 * begins or ends with some is told under another id: that is how it is kept.
 */

/** A contract that told of a token; whether it is a collection is for its answers to show. */
export interface ContractReference {
  /** In bech32, as the chain writes it. */
  readonly address: string;
  readonly collectionAddr: HexAddress;
}

/** What an event says happened to one token. */
export type Cw721Event = { readonly contract: ContractReference; readonly tokenId: string } & (
  | { readonly what: "minted"; readonly owner: HexAddress; readonly uri: string | undefined }
  | { readonly what: "transferred"; readonly owner: HexAddress }
  | { readonly what: "burned" }
  | { readonly what: "uriChanged"; readonly uri: string }
  /** The event does not tell all: the contract has to be asked what became of the token. */
  | { readonly what: "unclear" }
);

const tokenActions: ReadonlySet<string> = new Set(["mint", "transfer_nft", "send_nft", "burn", "update_nft_info"]);

/** True for an event that may be of a CW-721 contract; a CW-20 contract has the same actions, but no token ids. */
export function isCw721Event({ type, attributes }: VmEvent): boolean {
  if (type !== "wasm" || firstValue(attributes, "token_id") === undefined) return false;
  return attributes.some(([key, value]) => key === "action" && tokenActions.has(value));
}

/**
 * The contract of an event by which a collection is known before it has a token: with a `minter`, and a `creator` or an
 * `owner`, as cw721 tells when it is instantiated. By these a real indexer finds collections (initia-labs/rollytics,
 * `indexer/collector/wasm-nft/prepare.go`). Undefined for any other event.
 */
export function readNewCollection({ type, attributes }: VmEvent): ContractReference | undefined {
  const has = (key: string): boolean => firstValue(attributes, key) !== undefined;
  if (type !== "wasm" || !has("minter") || !(has("creator") || has("owner"))) return undefined;
  return readContract(attributes);
}

/** wasmd puts the contract first and takes no attribute of a contract that begins with an underscore. */
function readContract(attributes: Attributes): ContractReference | undefined {
  const address = firstValue(attributes, "_contract_address") ?? "";
  const collectionAddr = readBech32(address);
  return collectionAddr && { address, collectionAddr };
}

/** What an event says of each token that it names; nothing where it is none of a CW-721 contract. */
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
  // cw721 writes this word where the URI is an empty text.
  return { ...token, what: "minted", owner, uri: told === "empty" ? undefined : told };
}
