import { expect } from "vitest";
import type { NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { nftRoot } from "../apiRules.ts";
import type { LedgerToken } from "./ledger.ts";

interface Body {
  readonly tokens: readonly NftToken[];
  readonly pagination: { readonly previous_key: string | null; readonly next_key: string | null; total: string };
}

type Order = (a: LedgerToken, b: LedgerToken) => number;

/**
 * Expects each fact of the API's page about a listing of tokens, on one that has more than 50.
 *
 * @param path - Of the listing, after `tokens/`.
 */
export async function expectDocument(url: string, path: string, tokens: readonly LedgerToken[]): Promise<void> {
  const send = (query: string, init?: RequestInit) => fetch(`${url}${nftRoot}tokens/${path}?${query}`, init);
  const read = async (query: string): Promise<Body> => {
    const response = await send(query);
    return (response.ok ? await response.json() : { tokens: [], pagination: await response.text() }) as Body;
  };
  const key = (text: string | null) => `pagination.key=${encodeURIComponent(text ?? "none")}`;
  const count = tokens.length;
  const byId: Order = (a, b) => Buffer.compare(Buffer.from(a.tokenId), Buffer.from(b.tokenId)) || a.height - b.height;
  const byHeight: Order = (a, b) => a.height - b.height || byId(a, b);
  const sorted = (order: Order) =>
    tokens.toSorted((a, b) => order(b, a)).map(({ tokenId, height }) => [tokenId, height]);
  const places = async (query: string) => (await read(query)).tokens.map(({ nft, height }) => [nft.token_id, height]);
  const descending = sorted(byId);

  const whole = await read(`pagination.limit=${count}`);
  const first = await read("pagination.limit=50");
  const middle = await read("pagination.limit=50&pagination.offset=20");
  const plain = await send("");
  const { tokenId, collection } = tokens[0]!;
  const some = (isWanted: (token: LedgerToken) => boolean) => String(tokens.filter(isWanted).length);
  const total = async (query: string) => (await read(query)).pagination.total;
  /** What all rows have in a field, beside what the model has. */
  const field = (got: (row: NftToken) => unknown, wanted: (token: LedgerToken) => unknown) => [
    whole.tokens.map((row) => JSON.stringify([row.nft.token_id, row.height, got(row)])).sort(),
    tokens.map((token) => JSON.stringify([token.tokenId, token.height, wanted(token)])).sort(),
  ];
  const facts: Readonly<Record<string, readonly unknown[]>> = {
    status: [plain.status, 200],
    "content type": [plain.headers.get("content-type"), "application/json"],
    answer: [Object.keys(whole), ["tokens", "pagination"]],
    pagination: [Object.keys(whole.pagination), ["previous_key", "next_key", "total"]],
    token: [
      [...new Set(whole.tokens.map((row) => Object.keys(row).join(" ")))],
      ["collection_addr collection_name collection_origin_name object_addr owner nft height timestamp"],
    ],
    nft: [[...new Set(whole.tokens.map(({ nft }) => Object.keys(nft).join(" ")))], ["token_id uri"]],
    collection_addr: field(
      (row) => row.collection_addr,
      (token) => token.collection,
    ),
    collection_name: field(
      (row) => row.collection_name,
      (token) => token.name,
    ),
    collection_origin_name: field(
      (row) => row.collection_origin_name,
      () => "",
    ),
    object_addr: field(
      (row) => row.object_addr,
      (token) => token.objectAddr,
    ),
    owner: field(
      (row) => decodeAddress(row.owner),
      (token) => token.owner,
    ),
    uri: field(
      (row) => row.nft.uri,
      (token) => token.uri,
    ),
    "token_id and height": field(
      () => "",
      () => "",
    ),
    timestamp: field(
      (row) => /^[\d-]+T[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(row.timestamp),
      () => true,
    ),
    total: [whole.pagination.total, String(count)],
    "next_key after the last": [whole.pagination.next_key, null],
    "previous_key before the first": [first.pagination.previous_key, null],
    next_key: [await places(`pagination.limit=50&${key(first.pagination.next_key)}`), descending.slice(50, 100)],
    previous_key: [await places(`pagination.limit=50&${key(middle.pagination.previous_key)}`), descending.slice(0, 50)],
    order_by: [await places("order_by=token_id"), descending.slice(0, 100)],
    "order_by: default": [await places(""), descending.slice(0, 100)],
    "order_by: height": [await places("order_by=height"), sorted(byHeight).slice(0, 100)],
    "order_by: another": [(await send("order_by=owner")).status, 400],
    "pagination.offset": [await places("pagination.offset=20"), descending.slice(20, 120)],
    "pagination.limit": [await places("pagination.limit=3"), descending.slice(0, 3)],
    "pagination.count_total": [await total("pagination.count_total=true"), String(count)],
    "pagination.count_total: default": [await total(""), String(count)],
    "pagination.count_total: false": [await total("pagination.count_total=false"), "0"],
    "pagination.reverse": [await places("pagination.reverse=true"), descending.slice(0, 100)],
    "pagination.reverse: false": [await places("pagination.reverse=false"), descending.toReversed().slice(0, 100)],
    token_id: [await total(`token_id=${encodeURIComponent(tokenId)}`), some((token) => token.tokenId === tokenId)],
    "token_id: unknown": [await read("token_id=none").then((body) => body.tokens), []],
    "GET only": [(await send("", { method: "POST" })).status, 405],
    "nothing modified": [await read(`pagination.limit=${count}`), whole],
  };
  const ofCollection = (token: LedgerToken) => token.collection === collection;
  const ofAccount: typeof facts = {
    collection_addr: [await total(`collection_addr=${collection}`), some(ofCollection)],
    "collection_addr and token_id": [
      await total(`collection_addr=${collection}&token_id=${encodeURIComponent(tokenId)}`),
      some((token) => ofCollection(token) && token.tokenId === tokenId),
    ],
  };
  for (const each of path.startsWith("by_account") ? [facts, ofAccount] : [facts]) {
    const sides = [0, 1].map((side) =>
      Object.fromEntries(Object.entries(each).map(([fact, both]) => [fact, both[side]])),
    );
    expect(sides[0]).toEqual(sides[1]);
  }
}
