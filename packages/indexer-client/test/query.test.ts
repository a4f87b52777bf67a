import { expect, test } from "vitest";
import { openIndexer, tokensByAccount, tokensByCollection } from "../src/index.ts";
import { collectionQuery, infinitePagesQuery, pageQuery, statusQuery } from "../src/query.ts";
import { sendText, serve } from "./httpServer.ts";
import { playIndexer, recordedTokens } from "./playedIndexer.ts";

const { signal } = new AbortController();

test("a page", async () => {
  const { url } = await playIndexer(recordedTokens);
  const query = pageQuery(tokensByAccount(openIndexer(url), "0xaa"), { limit: 2, countTotal: true });
  expect(await query.queryFn({ signal })).toMatchObject({ items: [{}, {}], total: 250 });
  expect(query.retry).toBe(false);
});

test("pages, each by the param from the previous one", async () => {
  const { url } = await playIndexer(recordedTokens);
  const query = infinitePagesQuery(tokensByCollection(openIndexer(url), "0xc1"), { limit: 100 });
  const ids = new Set<string>();
  let pageParam: string | null = query.initialPageParam;
  do {
    const page = await query.queryFn({ pageParam, signal });
    expect(page.total).toBe(pageParam === null ? 250 : null);
    for (const { nft } of page.items) ids.add(nft.token_id);
    expect(query.getPreviousPageParam(page)).toBeNull();
    pageParam = query.getNextPageParam(page);
  } while (pageParam !== null);
  expect(ids.size).toBe(250);
});

test("keys differ where answers do, are the same where they are, and survive JSON", () => {
  const indexer = openIndexer("https://a.org/one/token-of-mine");
  const other = openIndexer("https://a.org/one/token-of-yours");
  const listing = tokensByAccount(indexer, "0xaa");
  const different = [
    pageQuery(listing),
    pageQuery(listing, { limit: 5 }),
    pageQuery(tokensByAccount(other, "0xaa")),
    pageQuery(tokensByAccount(indexer, "0xab")),
    pageQuery(tokensByAccount(indexer, "0xaa", { reverse: false })),
    pageQuery(tokensByAccount(indexer, "0xaa", { tokenId: "1" })),
    pageQuery(tokensByCollection(indexer, "0xaa")),
    pageQuery(tokensByCollection(indexer, "0xaa", { paging: "offset" })),
    infinitePagesQuery(listing),
    collectionQuery(indexer, "0xaa"),
    statusQuery(indexer),
    statusQuery(other),
  ].map(({ queryKey }) => JSON.stringify(queryKey));
  expect(new Set(different).size).toBe(different.length);
  expect(pageQuery(tokensByAccount(indexer, "0xaa", {})).queryKey).toEqual(pageQuery(listing).queryKey);
  expect(different.join()).not.toContain("token-of");
});

test("collection and status pass the signal on", async () => {
  const server = await serve((_, response) => sendText(response, 404, "nft collection not found"));
  const indexer = openIndexer(server.url);
  const failing = { code: "INDEXER_NOT_FOUND" };
  await expect(collectionQuery(indexer, "0xcf").queryFn({ signal })).rejects.toMatchObject(failing);
  await expect(statusQuery(indexer).queryFn({ signal })).rejects.toMatchObject(failing);
  const aborted = AbortSignal.abort(new Error("enough"));
  await expect(statusQuery(indexer).queryFn({ signal: aborted })).rejects.toThrow("enough");
  await expect(collectionQuery(indexer, "0xcf").queryFn({ signal: aborted })).rejects.toThrow("enough");
  expect(server.requests).toHaveLength(2);
});
