import type { NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import type { ChainData } from "./chainData.ts";
import { readAddress } from "./rules/addressRules.ts";
import type { Allowed } from "./rules/answer.ts";
import { combineReadings } from "./rules/combineReadings.ts";
import { collectionsPage, tokensPage, type TokenOrder } from "./rules/listingRules.ts";
import { readPageParameters, type Place, type Reading } from "./rules/pageRules.ts";
import { pageFault, statusFault } from "./rules/shapes.ts";

/** A GET request: its raw path, percent signs included, and its query without `?`. */
export interface ApiRequest {
  readonly path: string;
  readonly query: string;
}

/** Prefix of every NFT route. */
export const nftRoot = "/indexer/nft/v1/";

/** Size of request line and headers from which a server refuses them (seen on a real indexer), in bytes. */
const maxHeaderBytes = 16_384;

/**
 * The answers to a request that the rules of the NFT indexer API allow, given the chain's data: usually one,
 * several where the rules are silent. Based on the API's page and on recordings of a real indexer, not on
 * the server under test.
 */
export function allowedAnswers(data: ChainData, { path, query }: ApiRequest): readonly Allowed[] {
  if (path.length + query.length > maxHeaderBytes) return [{ kind: "text", status: 431, text: undefined }];
  if (path === "/status") return [{ kind: "shape", findFault: statusFault }];
  const parameters = new URLSearchParams(query);
  const [route, second = "", third = "", ...more] = path.startsWith(nftRoot)
    ? path.slice(nftRoot.length).split("/")
    : [];
  if (route === "tokens" && third !== "" && more.length === 0) {
    if (second === "by_account") return tokensOfAccount(data, third, parameters);
    if (second === "by_collection") return tokensOfCollection(data, third, parameters);
  }
  if (route === "txs" && third !== "" && more.length === 0) return transactions(data, second, third, parameters);
  if (route === "collections" && more.length === 0) {
    if (second === "") return listCollections(data.collections, parameters);
    if (third === "") return oneCollection(data, second);
    if (second === "by_account") return collectionsOfAccount(data, third, parameters);
    if (second === "by_name") return collectionsOfName(data, third, parameters);
  }
  return [{ kind: "text", status: 404, text: `Cannot GET ${path}` }];
}

function tokensOfAccount(data: ChainData, account: string, query: URLSearchParams): readonly Allowed[] {
  const filter = query.get("collection_addr") ?? "";
  const collections = filter === "" ? [{ value: undefined }] : readAddress(filter, "collection");
  return listTokens(query, readAddress(account, "account"), collections, (owner, collection) =>
    ownedBy(data, owner).filter((token) => (collection ?? token.collection_addr) === token.collection_addr),
  );
}

function tokensOfCollection(data: ChainData, addr: string, query: URLSearchParams): readonly Allowed[] {
  return listTokens(query, [{ value: undefined }], readAddress(addr, "collection"), (_, collection) =>
    data.tokens.filter((token) => token.collection_addr === collection),
  );
}

function listTokens(
  query: URLSearchParams,
  owner: readonly Reading<string | undefined>[],
  collection: readonly Reading<string | undefined>[],
  select: (owner: string | undefined, collection: string | undefined) => readonly NftToken[],
): readonly Allowed[] {
  const orderBy = readOrder(query.get("order_by"));
  const readings = { owner, collection, orderBy, ...readPageParameters(query) };
  const tokenId = query.get("token_id") ?? "";
  return combineReadings(readings, (values) => {
    const { place } = values;
    if (place === "anywhere") return [openPage("tokens", values.limit)];
    const tokens = select(values.owner, values.collection).filter((token) =>
      ["", token.nft.token_id].includes(tokenId),
    );
    const page = (isByIdAlone: boolean) => tokensPage(tokens, { ...values, place }, values.orderBy, isByIdAlone);
    const isOneCollection = values.collection !== undefined && values.orderBy === "token_id" && "after" in place;
    return isOneCollection ? [page(false), page(true)] : [page(false)];
  });
}

function readOrder(text: string | null): readonly Reading<TokenOrder>[] {
  if (text === null || text === "") return [{ value: "token_id" }];
  if (text === "token_id" || text === "height") return [{ value: text }];
  const refused = { error: `invalid order_by value '${text}', must be one of: token_id, height` };
  const known = text.trim().toLowerCase();
  // The API does not say whether upper case and blanks are accepted.
  return known === "token_id" || known === "height" ? [{ value: known }, refused] : [refused];
}

function collectionsOfAccount(data: ChainData, account: string, query: URLSearchParams): readonly Allowed[] {
  const owner = readAddress(account, "account");
  return combineReadings({ owner, ...readPageParameters(query) }, (values) => {
    const held = new Set(ownedBy(data, values.owner).map((token) => token.collection_addr));
    const collections = data.collections.filter((row) => held.has(row.object_addr));
    return collectionsOrOpen(collections, values);
  });
}

function collectionsOfName(data: ChainData, name: string, query: URLSearchParams): readonly Allowed[] {
  // The API does not say whether a name is decoded.
  const names = [...new Set([name, decodeOr(name)])].map((value) => ({ value: searchedPart(value) }));
  return combineReadings({ name: names, ...readPageParameters(query) }, (values) => {
    const named = data.collections.filter((row) => searchedPart(row.collection.name).includes(values.name));
    // The public source of a real indexer (initia-labs/rollytics) always returns the total.
    return collectionsOrOpen(named, { ...values, count: true });
  });
}

/** The compared part of a name, by the same source: letters, marks and digits, ignoring case. */
function searchedPart(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}]/gu, "").toLowerCase();
}

function listCollections(collections: ChainData["collections"], query: URLSearchParams): readonly Allowed[] {
  return combineReadings(readPageParameters(query), (values) => collectionsOrOpen(collections, values));
}

function collectionsOrOpen(
  collections: ChainData["collections"],
  values: { readonly limit: bigint; readonly place: Place; readonly count: boolean; readonly reverse: boolean },
): readonly Allowed[] {
  const { place } = values;
  // Keys of rows are known only for tokens.
  if (place === "anywhere" || "after" in place) {
    return [openPage("collections", values.limit), { kind: "text", status: 400, text: undefined }];
  }
  return [collectionsPage(collections, { ...values, place })];
}

function oneCollection(data: ChainData, addr: string): readonly Allowed[] {
  return combineReadings({ addr: readAddress(addr, "collection") }, (values) => {
    const collection = data.collections.find((row) => row.object_addr === values.addr);
    if (collection === undefined) return [{ kind: "text", status: 404, text: "nft collection not found" }];
    return [{ kind: "collection", collection }];
  });
}

/** The shape of a transaction differs by the server's version; an unknown token has no transactions. */
function transactions(data: ChainData, addr: string, id: string, query: URLSearchParams): readonly Allowed[] {
  const readings = { addr: readAddress(addr, "collection"), ...readPageParameters(query) };
  const ids = new Set([id, decodeOr(id)]);
  return combineReadings(readings, ({ addr: collection, limit }) => {
    const isKnown = data.tokens.some((token) => token.collection_addr === collection && ids.has(token.nft.token_id));
    return [isKnown ? openPage("txs", limit) : openPage("txs", 0n)];
  });
}

function openPage(field: "collections" | "tokens" | "txs", limit: bigint): Allowed {
  return { kind: "shape", findFault: (body) => pageFault(body, field, limit) };
}

/** The tokens of each owner, by the owner's bytes; created once per chain. */
const tokensByOwner = new WeakMap<ChainData, ReadonlyMap<string, readonly NftToken[]>>();

function ownedBy(data: ChainData, owner: string | undefined): readonly NftToken[] {
  const known = tokensByOwner.get(data) ?? groupByOwner(data.tokens);
  tokensByOwner.set(data, known);
  return known.get(owner ?? "") ?? [];
}

function groupByOwner(tokens: readonly NftToken[]): ReadonlyMap<string, readonly NftToken[]> {
  const owners = new Map<string, NftToken[]>();
  for (const token of tokens) {
    const owner = decodeAddress(token.owner);
    const owned = owners.get(owner);
    if (owned) owned.push(token);
    else owners.set(owner, [token]);
  }
  return owners;
}

function decodeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
