import { describe, expect, test } from "vitest";
import { getStatus, openIndexer, tokensByAccount, tokensByCollection, tokenTransactions } from "../src/index.ts";
import { failure, sendJson, sendText, serve } from "./httpServer.ts";

const status = { version: "1", commit_hash: "ab", chain_id: "rly-1", height: 7 };

describe("the URL", () => {
  test.each([
    "",
    "indexer.example.org",
    "127.0.0.1:18471",
    "ftp://example.org",
    "https://user:secret-word@example.org",
    "https://indexer.example/secret-word/indexer/nft/v1",
    "https://indexer.example/indexer/nft/v1/?key=secret-word",
  ])("%j is refused without being repeated", (url) => {
    expect(() => openIndexer(url)).toThrow(TypeError);
    expect(() => openIndexer(url)).not.toThrow(/secret|ftp|indexer\.example/);
  });

  test("a URL without a host is refused with how to write it, an address by the whole path", () => {
    expect(() => openIndexer("/api")).toThrow('new URL("/api", location.href)');
    const indexer = openIndexer("http://127.0.0.1:1");
    expect(() => tokensByAccount(indexer, "")).toThrow("/indexer/nft/v1/tokens/by_account");
  });

  test("no token of a path or a query is in an error, even if the server repeats it", async () => {
    const server = await serve((request, response) =>
      sendText(response, 404, `no key pass/word, Cannot GET ${request.url ?? ""}`),
    );
    const indexer = openIndexer(`${server.url}/v3/0123456789abcdef/?key=fedcba9876543210&word=pass%2Fword`);
    const error = await failure(tokensByAccount(indexer, "0xaa").page());
    expect(server.requests[0]).toMatch(
      /^\/v3\/0123456789abcdef\/indexer\/nft\/v1\/.*[?&]key=fedcba9876543210&word=pass%2Fword&/,
    );
    const shown = `${String(error)} ${JSON.stringify(error)} ${JSON.stringify(indexer)}`;
    expect(shown).toContain(`${server.url}/…/indexer/nft/v1/tokens/by_account/0xaa?pagination.reverse=true`);
    expect(shown).not.toMatch(/0123456789abcdef|fedcba9876543210|pass.{1,3}word/);
  });

  test("two paths of one host have two ids", () => {
    const ids = ["https://a.org", "https://a.org/one", "https://a.org/two", "https://a.org/one/"].map(
      (url) => openIndexer(url).id,
    );
    expect(new Set(ids).size).toBe(4);
  });
});

describe("parts of a path", () => {
  test.each(["", ".", ".."])("%j is refused, because it is another route", (part) => {
    const indexer = openIndexer("http://127.0.0.1:1");
    expect(() => tokensByAccount(indexer, part)).toThrow(RangeError);
    expect(() => tokenTransactions(indexer, "0xc1", part)).toThrow(RangeError);
  });

  test.each(["collectionAddr", "tokenId"])("an empty %s, which the server ignores, is refused", (name) => {
    const indexer = openIndexer("http://127.0.0.1:1");
    expect(() => tokensByAccount(indexer, "0xaa", { [name]: "" })).toThrow(RangeError);
  });

  test.each([
    ["1", "1"],
    ["a+b:c@d", "a+b:c@d"],
    ["a/b?c#d", "a%2Fb%3Fc%23d"],
    ["50% ü", "50%25%20%C3%BC"],
    ["...", "..."],
  ])("the token id %j", async (tokenId, segment) => {
    const server = await serve((_, response) =>
      sendJson(response, {
        txs: [{ txhash: "AB", code: 0 }],
        pagination: { next_key: null, previous_key: null, total: "1" },
      }),
    );
    const { items } = await tokenTransactions(openIndexer(server.url), "0xc1", tokenId).page();
    expect(items).toEqual([{ txhash: "AB", code: 0 }]);
    expect(server.requests[0]?.split("?")[0]).toBe(`/indexer/nft/v1/txs/0xc1/${segment}`);
    expect(decodeURIComponent(segment)).toBe(tokenId);
  });
});

test.each([0, 1001, 1.5, Number.NaN, 1e21])(
  "a limit of %d, which the server may misread, is refused",
  async (limit) => {
    const listing = tokensByCollection(openIndexer("http://127.0.0.1:1"), "0xc1");
    expect(await failure(listing.page({ limit }))).toBeInstanceOf(RangeError);
    expect(await failure(listing.items({ limit }).next())).toBeInstanceOf(RangeError);
  },
);

test.each([-1, 1.5, 1e21])("an offset of %d is refused", async (offset) => {
  const listing = tokensByCollection(openIndexer("http://127.0.0.1:1"), "0xc1");
  expect(await failure(listing.page({ offset }))).toBeInstanceOf(RangeError);
});

test("the caller's fetch is used, with only a string and a signal", async () => {
  const calls: unknown[][] = [];
  const indexer = openIndexer("https://indexer.example.org", {
    fetch: (...call) => {
      calls.push(call);
      return Promise.resolve(Response.json(status));
    },
  });
  expect(await getStatus(indexer)).toEqual(status);
  expect(calls).toEqual([["https://indexer.example.org/status", { signal: expect.any(AbortSignal) as AbortSignal }]]);
});
