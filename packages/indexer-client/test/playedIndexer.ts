import type { NftToken } from "../src/tokens.ts";
import { sendJson, sendText, serve, type HttpServer } from "./httpServer.ts";

/** Options of a fake indexer. */
export interface PlayedIndexerOptions {
  /** Rows whose pages fail with status 500. */
  readonly isBad?: (token: NftToken) => boolean;
  /** Called with each request, before it is answered. */
  readonly onRequest?: (turn: number, path: string) => Promise<void> | void;
  /** Called between the count of a listing and its rows, which real servers read one after the other. */
  readonly onCounted?: () => void;
  /** The total that answers return for a count. Default: the count itself. */
  readonly total?: (count: number) => string;
  /** The collection's own count; real servers let it drift, and never lower it to 0. */
  readonly ownCount?: (count: number) => number;
  /** The indexed height. Default: the newest token's. */
  readonly height?: () => number;
  /**
   * The server's clock in milliseconds. With it, answers are cached by their full URL, a collection for 10 s and
   * everything else for 1 s, and marked in `x-cache`, as recorded.
   */
  readonly clock?: () => number;
  /** Sent with every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Starts a server that lists these tokens with the keys, limits, orders and texts recorded from a real one. They are
 * read with each request, so they may change.
 */
export function playIndexer(tokens: readonly NftToken[], options: PlayedIndexerOptions = {}): Promise<HttpServer> {
  const { onRequest, headers = {}, clock } = options;
  const kept = new Map<string, { readonly text: string; readonly until: number }>();
  return serve((request, response, turn) => {
    const url = request.url ?? "/";
    const { pathname, searchParams } = new URL(url, "http://server");
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const [, collection] = /\/collections\/([^/]+)$/.exec(pathname) ?? [];
    const answer = (): Answer => {
      if (pathname === "/status") return { body: statusOf(tokens, options) };
      if (collection !== undefined) return answerCollection(collection, tokens, options);
      return answerListing(searchParams, tokens, options);
    };
    const send = (): void => {
      const now = clock?.() ?? 0;
      const old = kept.get(url);
      if (clock !== undefined) response.setHeader("x-cache", old !== undefined && old.until > now ? "hit" : "miss");
      if (old !== undefined && old.until > now) return sendJson(response, JSON.parse(old.text));
      const { status, text, body } = answer();
      if (status !== undefined) return sendText(response, status, text);
      const keptMs = collection === undefined ? 1000 : 10_000;
      if (clock !== undefined) kept.set(url, { text: JSON.stringify(body), until: now + keptMs });
      sendJson(response, body);
    };
    void Promise.resolve(onRequest?.(turn, pathname)).then(send);
  });
}

/** JSON, or a status and its text. */
interface Answer {
  readonly body?: unknown;
  readonly status?: number;
  readonly text?: string;
}

function statusOf(tokens: readonly NftToken[], { height }: PlayedIndexerOptions): object {
  const newest = height?.() ?? Math.max(0, ...tokens.map((row) => row.height));
  return { version: "1", commit_hash: "ab", chain_id: "rly-1", height: newest };
}

function answerCollection(
  address: string,
  tokens: readonly NftToken[],
  { ownCount = (count) => count }: PlayedIndexerOptions,
): Answer {
  const rows = tokens.filter(({ collection_addr }) => collection_addr === address);
  const [first] = rows;
  if (first === undefined) return { status: 404, text: "nft collection not found" };
  const collection = {
    object_addr: address,
    collection: {
      creator: first.owner,
      name: first.collection_name,
      origin_name: first.collection_origin_name,
      nfts: { handle: "", length: ownCount(rows.length) },
    },
    height: first.height,
    timestamp: first.timestamp,
  };
  return { body: { collection } };
}

/** A token like the recorded tokens. */
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

type Key = readonly [Buffer, number];

function answerListing(
  query: URLSearchParams,
  tokens: readonly NftToken[],
  { isBad = () => false, onCounted, total: tell = String }: PlayedIndexerOptions,
): Answer {
  const limit = Number(query.get("pagination.limit") ?? 100);
  if (limit < 1 || limit > 1000) return { status: 400, text: "pagination.limit must be between 1 and 1000" };
  const orderBy = query.get("order_by") ?? "token_id";
  if (orderBy !== "token_id" && orderBy !== "height") {
    return { status: 400, text: `invalid order_by value '${orderBy}', must be one of: token_id, height` };
  }
  const place = readPlace(query);
  if (typeof place === "string") return { status: 400, text: place };
  const direction = (query.get("pagination.reverse") ?? "true") === "true" ? -1 : 1;
  const compare = ([idA, heightA]: Key, [idB, heightB]: Key) => {
    const byHeight = heightA - heightB;
    if (orderBy === "height" && byHeight !== 0) return direction * byHeight;
    return direction * (Buffer.compare(idA, idB) || byHeight);
  };
  const chosen = () =>
    tokens
      .filter(({ nft }) => !query.has("token_id") || nft.token_id === query.get("token_id"))
      .filter(({ collection_addr }) => [null, collection_addr].includes(query.get("collection_addr")));
  const total = query.get("pagination.count_total") === "false" ? "0" : tell(chosen().length);
  onCounted?.();
  const sorted = chosen()
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => compare(a.key, b.key));
  const isKeyset = typeof place !== "number";
  const start = isKeyset ? sorted.findIndex(({ key }) => compare(key, place) > 0) : place;
  const items = start < 0 ? [] : sorted.slice(start, start + limit).map(({ row }) => row);
  if (items.some(isBad)) return { status: 500, text: "Internal Server Error" };
  const last = items.at(-1);
  const isFull = items.length === limit;
  const key = isKeyset
    ? last && JSON.stringify({ height: last.height, token_id: last.nft.token_id })
    : isFull && String(start + limit);
  const pagination = {
    previous_key: !isKeyset && start >= limit && start > 0 ? toBase64(String(start - limit)) : null,
    next_key: key ? toBase64(key) : null,
    total,
  };
  return { body: { tokens: items, pagination } };
}

function keyOf({ nft, height }: NftToken): Key {
  return [Buffer.from(nft.token_id), height];
}

/** The offset or the row at which a page begins; an error text if the key is invalid. */
function readPlace(query: URLSearchParams): number | Key | string {
  const key = query.get("pagination.key");
  if (key === null) return Number(query.get("pagination.offset") ?? 0);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(key)) {
    return "pagination.key must be a valid base64 encoded string";
  }
  const text = Buffer.from(key, "base64").toString();
  if (text.startsWith("{")) {
    const { height, token_id } = JSON.parse(text) as { height: number; token_id: string };
    return [Buffer.from(token_id), height];
  }
  return /^\d+$/.test(text) ? Number(text) : "pagination.key must decode to a nonnegative integer";
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
