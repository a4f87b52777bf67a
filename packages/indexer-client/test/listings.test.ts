import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import {
  collections,
  collectionsByAccount,
  collectionsByName,
  openIndexer,
  tokensByAccount,
  tokensByCollection,
  type NftToken,
} from "../src/index.ts";
import { sendJson, serve, stopServers } from "./httpServer.ts";
import { playIndexer, recordedTokens, token } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const seed = fuzzSeed();

const idOf = ({ nft }: NftToken) => nft.token_id;

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function queries(requests: readonly string[]): readonly URLSearchParams[] {
  return requests.map((request) => new URL(request, "http://server").searchParams);
}

describe("walking a listing", () => {
  test.each([
    // By keyset, every page with a token has a key.
    ["keyset", 100, 4],
    ["offset", 100, 3],
    // A full page has a key, so an exact multiple has one more page, which is empty and not returned.
    ["offset", 125, 3],
    ["keyset", 125, 3],
  ] as const)(
    "by %s at limit %i takes %i requests and returns every token once",
    async (paging, limit, requestCount) => {
      const { url, requests } = await playIndexer(recordedTokens);
      const listing = tokensByCollection(openIndexer(url), collectionAddr, { paging });
      const pages = await collect(listing.pages({ limit }));
      expect(requests).toHaveLength(requestCount);
      expect(pages.every(({ items, total }) => items.length > 0 && total === null)).toBe(true);
      expect(new Set(pages.flatMap(({ items }) => items.map(idOf))).size).toBe(250);
    },
  );

  test("filters, order, direction and limit are the same on every page, and the total is not counted", async () => {
    const { url, requests } = await playIndexer(recordedTokens);
    const options = { collectionAddr, orderBy: "height", reverse: false } as const;
    const listing = tokensByAccount(openIndexer(url), "0xaa", options);
    expect(await collect(listing.items({ limit: 60 }))).toEqual(recordedTokens);
    expect(requests).toHaveLength(6);
    for (const query of queries(requests)) {
      query.delete("pagination.key");
      expect(Object.fromEntries(query)).toEqual({
        collection_addr: collectionAddr,
        order_by: "height",
        "pagination.reverse": "false",
        "pagination.limit": "60",
        "pagination.count_total": "false",
      });
    }
  });

  test("a walk counts the listing once, with its first page", async () => {
    const { url, requests } = await playIndexer(recordedTokens);
    const pages = await collect(
      tokensByCollection(openIndexer(url), collectionAddr).pages({ limit: 60, countTotal: true }),
    );
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map(({ total }) => total)).toEqual([recordedTokens.length, ...pages.slice(1).map(() => null)]);
    const asked = queries(requests).map((query) => query.get("pagination.count_total"));
    expect(asked.filter((each) => each === "true")).toHaveLength(1);
  });

  test("an empty listing returns one empty page and no token", async () => {
    const { url } = await playIndexer([]);
    const listing = tokensByCollection(openIndexer(url), collectionAddr);
    expect(await collect(listing.pages({ countTotal: true }))).toEqual([
      { items: [], nextKey: null, previousKey: null, total: 0 },
    ]);
    expect(await collect(listing)).toEqual([]);
  });

  test("a short page with a key is not the end, a key equal to the one sent is", async () => {
    const keys = ["MQ==", "Mg==", "Mg=="];
    const server = await serve((_, response, turn) =>
      sendJson(response, {
        tokens: [token(String(turn), turn)],
        pagination: { previous_key: null, next_key: keys[turn] ?? "never", total: "1" },
      }),
    );
    const listing = tokensByCollection(openIndexer(server.url), collectionAddr, { paging: "offset" });
    expect((await collect(listing)).map(idOf)).toEqual(["0", "1", "2"]);
    expect(server.requests).toHaveLength(3);
  });

  test("with keyset paging, a server key equal to the one sent is also the end", async () => {
    const server = await serve((request, response, turn) => {
      const sent = new URL(request.url ?? "", "http://server").searchParams.get("pagination.key");
      const pagination = { previous_key: null, next_key: sent ?? "MQ==", total: "1" };
      sendJson(response, { tokens: [token(String(turn), turn)], pagination });
    });
    const listing = tokensByCollection(openIndexer(server.url), collectionAddr);
    expect((await collect(listing)).map(idOf)).toEqual(["0", "1"]);
  });

  test("paging is by offset without a collection; keyset is used only on request within one collection", async () => {
    const { url, requests } = await playIndexer(recordedTokens);
    const indexer = openIndexer(url);
    await tokensByAccount(indexer, "0xaa", { paging: "keyset" }).page({ limit: 2, offset: 4 });
    const { nextKey } = await tokensByAccount(indexer, "0xaa").page({ limit: 2 });
    const { nextKey: keyset } = await tokensByAccount(indexer, "0xaa", { collectionAddr }).page({ limit: 2 });
    expect([nextKey, keyset].map((key) => atob(key ?? ""))).toEqual(["2", `{"height":198,"token_id":"98"}`]);
    expect(queries(requests)[0]?.get("pagination.offset")).toBe("4");
  });

  test("a later page by its key, and the previous page", async () => {
    const { url } = await playIndexer(recordedTokens);
    const listing = tokensByAccount(openIndexer(url), "0xaa");
    const first = await listing.page({ limit: 10 });
    const second = await listing.page({ limit: 10, key: first.nextKey });
    expect(await listing.page({ limit: 10, key: second.previousKey })).toEqual(first);
  });

  test("collections are read like tokens", async () => {
    const row = (name: string) => ({
      object_addr: "0xc1",
      collection: { creator: "init1", name, origin_name: "", nfts: { handle: "", length: 1 } },
      height: 1,
      timestamp: "2025-01-01T00:00:00Z",
    });
    const server = await serve((_, response, turn) =>
      sendJson(response, {
        collections: [row(String(turn))],
        pagination: { previous_key: null, next_key: turn < 2 ? btoa(String(turn + 1)) : null, total: "3" },
      }),
    );
    const indexer = openIndexer(server.url);
    const rows = await collect(collectionsByName(indexer, "a b/c"));
    expect(rows.map(({ collection }) => collection.name)).toEqual(["0", "1", "2"]);
    await collectionsByAccount(indexer, "0xaa", { reverse: false }).page();
    await collections(indexer).page();
    expect([server.requests[0], ...server.requests.slice(3)].map((request) => request?.split("&")[0])).toEqual([
      "/indexer/nft/v1/collections/by_name/a%20b%2Fc?pagination.reverse=true",
      "/indexer/nft/v1/collections/by_account/0xaa?pagination.reverse=false",
      "/indexer/nft/v1/collections?pagination.reverse=true",
    ]);
  });
});

describe("keyset", () => {
  const anyId = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
    fc.constantFrom("+", "a+b", " ", "%2B", '"', "\\", "<&>", "\u2028", "😀", "é", String(2n ** 256n - 1n)),
  );

  test("returns the same as offset, whatever the IDs", async () => {
    const rows = fc.uniqueArray(fc.record({ id: anyId, height: fc.nat(5) }), {
      selector: ({ id }) => id,
      maxLength: 30,
    });
    const listingOptions = fc.record({
      orderBy: fc.constantFrom("token_id" as const, "height" as const),
      reverse: fc.boolean(),
    });
    const property = fc.asyncProperty(
      rows,
      listingOptions,
      fc.integer({ min: 1, max: 12 }),
      async (all, options, limit) => {
        const tokens = all.map(({ id, height }) => token(id, height));
        const { url, requests } = await playIndexer(tokens);
        const indexer = openIndexer(url);
        const walk = (paging: "keyset" | "offset") =>
          collect(tokensByCollection(indexer, collectionAddr, { ...options, paging }).items({ limit }));
        const byOffset = await walk("offset");
        const before = requests.length;
        expect(await walk("keyset")).toEqual(byOffset);
        expect(byOffset).toHaveLength(tokens.length);
        // All pages but the first are sought by a row.
        const keys = queries(requests.slice(before + 1)).map((query) => query.get("pagination.key") ?? "");
        for (const key of keys) expect(Buffer.from(key, "base64").toString()).toMatch(/^\{"height":\d+,"token_id":"/);
        await stopServers();
      },
    );
    await fc.assert(property, { seed, numRuns: fuzzRuns(60) });
  });

  test("returns every token that does not move exactly once while others move; offset does not", async () => {
    const walk = async (paging: "keyset" | "offset") => {
      const tokens = [...recordedTokens];
      // After the first page the ten newest tokens are transferred, and ten more are minted.
      const { url } = await playIndexer(tokens, {
        onRequest: (turn) => {
          if (turn !== 1) return;
          for (let index = 0; index < 10; index += 1) {
            tokens.unshift(token(`new ${index}`, 1000 + index));
            tokens[tokens.length - 1 - index] = token(String(249 - index), 2000 + index);
          }
        },
      });
      const listing = tokensByCollection(openIndexer(url), collectionAddr, { paging, orderBy: "height" });
      return (await collect(listing.items({ limit: 50 }))).map(idOf);
    };
    const byKeyset = await walk("keyset");
    expect(byKeyset).toHaveLength(new Set(byKeyset).size);
    expect(new Set(byKeyset)).toEqual(new Set(recordedTokens.map(idOf)));
    const byOffset = await walk("offset");
    expect(byOffset.length).toBeGreaterThan(new Set(byOffset).size);
  });
});
