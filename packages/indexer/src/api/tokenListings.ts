import { toUSVString } from "node:util";
import { formatBech32 } from "@vipscore/core";
import { tokenIdFault } from "../store/storableText.ts";
import type { Store, TokenFilter, TokenPlace, TokenRow, TokensRequest } from "../store/store.ts";
import type { Listing } from "./pageAnswer.ts";
import { accountOf, BadRequest, collectionAddrOf, readPagination } from "./requestParameters.ts";

/** `tokens/by_account/{account}`. */
export function tokensByAccount(store: Store, account: string, query: URLSearchParams): Listing<TokenRow, TokenPlace> {
  const owner = accountOf(account);
  const collection = query.get("collection_addr");
  return readTokenListing(
    store,
    { owner, collectionAddr: collection ? collectionAddrOf(collection) : undefined },
    query,
  );
}

/** `tokens/by_collection/{collection_addr}`. */
export function tokensByCollection(store: Store, addr: string, query: URLSearchParams): Listing<TokenRow, TokenPlace> {
  return readTokenListing(store, { collectionAddr: collectionAddrOf(addr) }, query);
}

function readTokenListing(
  store: Store,
  { owner, collectionAddr }: TokenFilter,
  query: URLSearchParams,
): Listing<TokenRow, TokenPlace> {
  // An empty filter is ignored.
  const tokenId = query.get("token_id") || undefined;
  const filter: TokenFilter = { owner, collectionAddr, tokenId };
  const isHeld = tokenId === undefined || tokenIdFault(tokenId) === undefined;
  const pagination = readPagination(query);
  const order = readOrder(query.get("order_by") ?? "", collectionAddr);
  // With a token ID at most one row.
  const orderBy = order === "token_number" && tokenId !== undefined ? "token_id" : order;
  return {
    field: "tokens",
    pagination,
    readAfter: readTokenPlace,
    keyAfter: ({ height, tokenId: token_id, collectionAddr: collection_addr }, after) =>
      // A client that sent a key of two fields, like a real indexer's, gets such keys.
      after?.collectionAddr === undefined ? { height, token_id } : { height, token_id, collection_addr },
    read: async (request) => {
      const isPlace = !("after" in request.place) || isComparable(request.place.after.tokenId);
      return isHeld && isPlace ? store.readTokens({ ...request, filter, orderBy }) : [];
    },
    complete: (rows) => withLongUris(store, rows),
    count: async () => (isHeld ? store.countTokens(filter) : 0),
    toJson: createTokenJson(),
  };
}

/** Length of the long URIs in an answer from which on the page ends: it is held in memory. */
const maxLongUris = 33_554_432;

/** Adds the URIs that the rows lack; ends after the row with which they are too many for one answer. */
async function withLongUris(store: Store, rows: readonly TokenRow[]): Promise<readonly TokenRow[]> {
  if (rows.every(({ uri }) => uri !== undefined)) return rows;
  const complete: TokenRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= maxLongUris) break;
    const uri = row.uri ?? (await store.readUri(row));
    if (row.uri === undefined) bytes += uri.length;
    complete.push({ ...row, uri });
  }
  return complete;
}

function readOrder(text: string, collectionAddr: TokenFilter["collectionAddr"]): TokensRequest["orderBy"] {
  const order = text.trim().toLowerCase();
  if (order === "" || order === "token_id") return "token_id";
  if (order === "height") return "height";
  if (order === "token_number") {
    if (collectionAddr !== undefined) return order;
    throw new BadRequest("order_by=token_number lists one collection: add collection_addr");
  }
  throw new BadRequest(`invalid order_by value '${text}', must be one of: token_id, height`);
}

/** True if both databases accept a text in comparisons. */
function isComparable(text: string | undefined): boolean {
  if (text === undefined) return true;
  return !text.includes("\0") && toUSVString(text) === text;
}

function readTokenPlace({
  height,
  token_id: tokenId,
  collection_addr: collection,
}: Readonly<Record<string, unknown>>): TokenPlace | undefined {
  if (!isHeight(height)) return undefined;
  if (tokenId === undefined) return { height, tokenId, collectionAddr: undefined };
  if (typeof tokenId !== "string") return undefined;
  if (collection === undefined) return { height, tokenId, collectionAddr: undefined };
  return typeof collection === "string" ? { height, tokenId, collectionAddr: collectionAddrOf(collection) } : undefined;
}

/** True if a key's value is an integer that both databases accept. */
export function isHeight(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/**
 * Creates the writer of the tokens of a page, in JSON as the API writes it, field by field in the recorded order. What
 * tokens share is written once: the fields of their collection, of their owner and of their block. A page of a thousand
 * tokens then takes a fraction of the time of `JSON.stringify`.
 */
export function createTokenJson(): (row: TokenRow) => string {
  const collections = new Map<string, string>();
  const owners = new Map<string, string>();
  const blocks = new Map<number, string>();
  return ({ collectionAddr, objectAddr = "", owner, tokenId, uri, height, timestamp, ...names }) => {
    let collection = collections.get(collectionAddr);
    if (collection === undefined) {
      collection =
        `{"collection_addr":"${collectionAddr}","collection_name":${JSON.stringify(names.collectionName)},` +
        `"collection_origin_name":${JSON.stringify(names.collectionOriginName)},"object_addr":"`;
      collections.set(collectionAddr, collection);
    }
    let holder = owners.get(owner);
    if (holder === undefined) {
      holder = `","owner":"${formatBech32(owner)}","nft":{"token_id":`;
      owners.set(owner, holder);
    }
    let block = blocks.get(height);
    if (block === undefined) {
      block = `},"height":${height},"timestamp":${JSON.stringify(timestamp)}}`;
      blocks.set(height, block);
    }
    return `${collection}${objectAddr}${holder}${JSON.stringify(tokenId)},"uri":${JSON.stringify(uri ?? "")}${block}`;
  };
}
