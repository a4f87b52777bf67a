import { expect, test } from "vitest";
import {
  collections,
  getCollection,
  getStatus,
  IndexerBadAnswerError,
  openIndexer,
  tokensByCollection,
  tokenTransactions,
  type Indexer,
  type Listing,
} from "../src/index.ts";
import { failure, sendJson, serve } from "./httpServer.ts";
import { token } from "./playedIndexer.ts";

const tokensOf = (indexer: Indexer) => tokensByCollection(indexer, "0xc1", { paging: "offset" });
const pagination = { next_key: null, previous_key: null, total: "1" };

/** Reads a whole listing and counts its rows. */
async function countItems<T>(listing: Listing<T>, limit: number): Promise<number> {
  let rows = 0;
  for await (const _ of listing.items({ limit })) rows += 1;
  return rows;
}

test.each([
  ["a web page", "text/html", "<!doctype html><title>hello</title>"],
  ["a web page with JSON in it", "text/html", "{}"],
  ["a text", "text/plain", JSON.stringify({ tokens: [], pagination })],
  ["JSON that is cut off", "application/json", `{"tokens":[`],
  ["nothing", "application/json", ""],
  ["a list", "application/json", "[]"],
  ["null", "application/json", "null"],
  ["bytes that are not UTF-8", "application/json", Buffer.from([0x22, 0xff, 0x22])],
])("%s is not an answer", async (_, contentType, body) => {
  const server = await serve((__, response) => response.writeHead(200, { "content-type": contentType }).end(body));
  const error = await failure(tokensOf(openIndexer(server.url, { retry: { minDelayMs: 1 } })).page());
  expect(error).toBeInstanceOf(IndexerBadAnswerError);
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER", status: 200, retryable: false });
  expect(server.requests).toHaveLength(1);
});

test.each([
  [200, "text/html", "<!doctype html>"],
  [200, "application/json", `{"jsonrpc":"2.0"}`],
  [404, "text/html", "<!doctype html><title>404</title>"],
  [404, "text/plain", "404 page not found"],
  [404, "application/json", "{}"],
  [405, "application/json", "{}"],
  [501, "application/json", `{"code":12,"message":"Not Implemented"}`],
])("another server's %i as %s names the base URL", async (status, contentType, body) => {
  const server = await serve((_, response) => response.writeHead(status, { "content-type": contentType }).end(body));
  const error = await failure(tokensOf(openIndexer(server.url)).page());
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER", status, retryable: false });
  expect(String(error)).toMatch(
    new RegExp(`${server.url}/indexer/nft/v1/tokens/by_collection/0xc1\\b.*${server.url}\\?`),
  );
  expect(server.requests).toHaveLength(1);
});

test("other JSON content types and unknown fields are accepted", async () => {
  const row = { ...token("1", 2), traits: [1] };
  const server = await serve((_, response) =>
    response
      .writeHead(200, { "content-type": "application/vnd.indexer+json; charset=utf-8" })
      .end(JSON.stringify({ tokens: [row], pagination: { ...pagination, more: true }, version: 2 })),
  );
  expect(await tokensOf(openIndexer(server.url)).page()).toMatchObject({ items: [row] });
});

const good = token("1", 2);
test.each<[string, unknown]>([
  ["tokens", { pagination }],
  ["tokens", { tokens: {}, pagination }],
  ["tokens", { tokens: null, pagination }],
  ["tokens.1", { tokens: [good, null], pagination }],
  ["tokens.0", { tokens: [[]], pagination }],
  ["tokens.0.owner", { tokens: [{ ...good, owner: 5 }], pagination }],
  ["tokens.0.nft", { tokens: [{ ...good, nft: "1" }], pagination }],
  ["tokens.0.nft.token_id", { tokens: [{ ...good, nft: { token_id: 1, uri: "" } }], pagination }],
  ["tokens.0.height", { tokens: [{ ...good, height: "2" }], pagination }],
  ["tokens.0.height", { tokens: [{ ...good, height: 1.5 }], pagination }],
  ["tokens.0.height", { tokens: [{ ...good, height: -1 }], pagination }],
  ["tokens.0.height", { tokens: [{ ...good, height: 2 ** 53 }], pagination }],
  ["tokens.0.timestamp", { tokens: [{ ...good, timestamp: undefined }], pagination }],
  ["pagination", { tokens: [good] }],
  ["pagination.next_key", { tokens: [good], pagination: { ...pagination, next_key: 5 } }],
  ["pagination.next_key", { tokens: [good], pagination: { previous_key: null, total: "1" } }],
  ["pagination.previous_key", { tokens: [good], pagination: { ...pagination, previous_key: false } }],
  ["pagination.total", { tokens: [good], pagination: { ...pagination, total: 1 } }],
  ["pagination.total", { tokens: [good], pagination: { ...pagination, total: "many" } }],
])("a wrong %s is named", async (field, body) => {
  const server = await serve((_, response) => sendJson(response, body));
  const error = await failure(tokensOf(openIndexer(server.url)).page({ countTotal: true }));
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER" });
  expect(error).toHaveProperty("message", expect.stringMatching(new RegExp(` ${field} `)));
});

test("wrong answers of the other routes", async () => {
  const server = await serve((_, response) =>
    sendJson(response, { collections: [{}], txs: [{}], collection: {}, pagination }),
  );
  const indexer = openIndexer(server.url);
  const asked = [
    getStatus(indexer),
    getCollection(indexer, "0xc1"),
    collections(indexer).page(),
    tokenTransactions(indexer, "0xc1", "1").page(),
  ];
  const fields = ["version", "collection.object_addr", "collections.0.object_addr", "txs.0.txhash"];
  for (const [index, request] of asked.entries()) {
    expect(await failure(request)).toHaveProperty(
      "message",
      expect.stringMatching(new RegExp(` ${fields[index] ?? ""} `)),
    );
  }
});

test("a redirect loop ends", async () => {
  const server = await serve((request, response) => response.writeHead(302, { location: request.url ?? "/" }).end());
  const error = await failure(getStatus(openIndexer(server.url, { retry: { attempts: 2, minDelayMs: 1 } })));
  expect(error).toMatchObject({ code: "INDEXER_UNREACHABLE" });
  expect(server.requests.length).toBeLessThan(100);
});

const key = (turn: number) => Buffer.from(String(turn)).toString("base64");

test.each<[string, (turn: number) => { readonly id: number; readonly next: string }]>([
  ["new keys to one page", (turn) => ({ id: 1, next: key(turn) })],
  ["new keys to one last page", (turn) => ({ id: Math.min(turn, 40), next: key(turn) })],
  ["a circle of pages", (turn) => ({ id: turn % 7, next: key(turn % 7) })],
  ["a circle reached late", (turn) => ({ id: turn < 30 ? turn : 30 + (turn % 11), next: key(turn) })],
])("endless %s are an error", async (_, pageOf) => {
  const server = await serve((__, response, turn) => {
    const { id, next } = pageOf(turn);
    sendJson(response, { tokens: [token(String(id), 5)], pagination: { ...pagination, next_key: next } });
  });
  const error = await failure(countItems(tokensOf(openIndexer(server.url)), 1));
  expect(error).toBeInstanceOf(IndexerBadAnswerError);
  expect(server.requests.length).toBeLessThan(1000);
});

test("rows nested too deep for a stack are an error", async () => {
  const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  const page = JSON.stringify({ tokens: [{ ...good, traits: 0 }], pagination: { ...pagination, next_key: key(1) } });
  const server = await serve((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(page.replace(`"traits":0`, `"traits":${deep}`)),
  );
  expect(await failure(countItems(tokensOf(openIndexer(server.url)), 1))).toBeInstanceOf(IndexerBadAnswerError);
});

test("by keyset, a page that repeats itself is the end", async () => {
  const server = await serve((_, response, turn) =>
    sendJson(response, { tokens: [token("1", 5)], pagination: { ...pagination, next_key: key(turn) } }),
  );
  expect(await countItems(tokensByCollection(openIndexer(server.url), "0xc1"), 1)).toBe(2);
});
