import type { ServerResponse } from "node:http";
import type { NftToken } from "../src/tokens.ts";
import { sendJson, sendText, serve, type HttpServer } from "./httpServer.ts";

/** What a played indexer does beside listing tokens. */
export interface PlayedIndexerOptions {
  /** Rows with which every page answers 500. */
  readonly isBad?: (token: NftToken) => boolean;
  /** Called with each request, before it is answered. */
  readonly onRequest?: (turn: number, path: string) => Promise<void> | void;
  /** The indexed height; that of the newest token when absent. */
  readonly height?: () => number;
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Starts a server that lists these tokens with the keys, limits, orders and texts that a real one was recorded with. They are
 * looked at with each request, so they may change meanwhile.
 */
export function playIndexer(tokens: readonly NftToken[], options: PlayedIndexerOptions = {}): Promise<HttpServer> {
  const { isBad = () => false, onRequest, headers = {} } = options;
  return serve((request, response, turn) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const answer = () => {
      if (pathname === "/status") return sendJson(response, statusOf(tokens, options));
      const [, collection] = /\/collections\/([^/]+)$/.exec(pathname) ?? [];
      if (collection !== undefined) return answerCollection(collection, tokens, response);
      return answerListing(searchParams, tokens, isBad, response);
    };
    void Promise.resolve(onRequest?.(turn, pathname)).then(answer);
  });
}

function statusOf(tokens: readonly NftToken[], { height }: PlayedIndexerOptions): object {
  const newest = height?.() ?? Math.max(0, ...tokens.map((row) => row.height));
  return { version: "1", commit_hash: "ab", chain_id: "rly-1", height: newest };
}

function answerCollection(address: string, tokens: readonly NftToken[], response: ServerResponse): void {
  const rows = tokens.filter(({ collection_addr }) => collection_addr === address);
  const [first] = rows;
  if (first === undefined) return sendText(response, 404, "Not Found");
  sendJson(response, {
    collection: {
      object_addr: address,
      collection: {
        creator: first.owner,
        name: first.collection_name,
        origin_name: first.collection_origin_name,
        nfts: { handle: "", length: rows.length },
      },
      height: first.height,
      timestamp: first.timestamp,
    },
  });
}

/** A token as the recorded ones are. */
export function token(
  tokenId: string,
  height: number,
  collection = "0xc100000000000000000000000000000000000001",
): NftToken {
  return {
    collection_addr: collection,
    collection_name: "My Nft",
    collection_origin_name: "My Origin",
    object_addr: "",
    owner: "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
    nft: { token_id: tokenId, uri: `https://x/${tokenId}?a=1&b=<2>` },
    height,
    timestamp: "2025-01-01T00:00:00.123456Z",
  };
}

/** The 250 tokens that were in the recorded database. */
export const recordedTokens: readonly NftToken[] = Array.from({ length: 250 }, (_, index) =>
  token(String(index), 100 + index),
);

type Key = readonly [string, number];

function answerListing(
  query: URLSearchParams,
  tokens: readonly NftToken[],
  isBad: (token: NftToken) => boolean,
  response: ServerResponse,
): void {
  const limit = Number(query.get("pagination.limit") ?? 100);
  if (limit < 1 || limit > 1000) return sendText(response, 400, "pagination.limit must be between 1 and 1000");
  const orderBy = query.get("order_by") ?? "token_id";
  if (orderBy !== "token_id" && orderBy !== "height") {
    return sendText(response, 400, `invalid order_by value '${orderBy}', must be one of: token_id, height`);
  }
  const direction = (query.get("pagination.reverse") ?? "true") === "true" ? -1 : 1;
  const compare = ([idA, heightA]: Key, [idB, heightB]: Key) => {
    const byId = Buffer.compare(Buffer.from(idA), Buffer.from(idB));
    const byHeight = heightA - heightB;
    return direction * (orderBy === "token_id" ? byId || byHeight : byHeight || byId);
  };
  const sorted = tokens
    .filter(({ nft }) => !query.has("token_id") || nft.token_id === query.get("token_id"))
    .filter(({ collection_addr }) => !query.has("collection_addr") || collection_addr === query.get("collection_addr"))
    .sort((a, b) => compare(keyOf(a), keyOf(b)));
  const place = readPlace(query);
  if (typeof place === "string") return sendText(response, 400, place);
  const isKeyset = typeof place !== "number";
  const start = isKeyset ? sorted.findIndex((row) => compare(keyOf(row), place) > 0) : place;
  const items = start < 0 ? [] : sorted.slice(start, start + limit);
  if (items.some(isBad)) return sendText(response, 500, "Internal Server Error");
  const last = items.at(-1);
  const isFull = items.length === limit;
  const key = isKeyset
    ? last && JSON.stringify({ height: last.height, token_id: last.nft.token_id })
    : isFull && String(start + limit);
  const total = query.get("pagination.count_total") === "false" ? 0 : sorted.length;
  sendJson(response, {
    tokens: items,
    pagination: {
      previous_key: !isKeyset && start >= limit && start > 0 ? toBase64(String(start - limit)) : null,
      next_key: key ? toBase64(key) : null,
      total: String(total),
    },
  });
}

function keyOf({ nft, height }: NftToken): Key {
  return [nft.token_id, height];
}

/** The offset or the row at which a page begins; a text where it names none. */
function readPlace(query: URLSearchParams): number | Key | string {
  const key = query.get("pagination.key");
  if (key === null) return Number(query.get("pagination.offset") ?? 0);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(key)) {
    return "pagination.key must be a valid base64 encoded string";
  }
  const text = Buffer.from(key, "base64").toString();
  if (text.startsWith("{")) {
    const { height, token_id } = JSON.parse(text) as { height: number; token_id: string };
    return [token_id, height];
  }
  return /^\d+$/.test(text) ? Number(text) : "pagination.key must decode to a nonnegative integer";
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
