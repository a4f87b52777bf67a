import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong } from "@vipscore/testkit/isLong";
import type { Database } from "../../src/store/database.ts";
import { openPostgres } from "../../src/store/openPostgres.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { tokensQuery } from "../../src/store/readTokens.ts";
import type { TokensRequest } from "../../src/store/store.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases } from "./databases.ts";
import { explain } from "./explain.ts";

const cats = address("c1");
const dogs = address("c2");
const whale = address("aa");
/** Deep enough that reading a listing from its start is noticeable; more at night. */
const tokenCount = isLong ? 100_000 : 30_000;
const perBlock = 2500;
const limit = 100;

/**
 * Pages that PostgreSQL may touch for the tokens of one request and their collections; measured: 230. Reading a listing from
 * its start touches more than 1,000 at a depth of 10,000 tokens, and up to 20,000 at the end.
 */
const maxPages = 5 * limit;

/** The n-th token. */
const tokenAt = (number: number) => ({
  collectionAddr: number % 2 ? cats : dogs,
  tokenId: String(number),
  height: 2 + Math.floor(number / perBlock),
});
const tokens = Array.from({ length: tokenCount }, (_, number) => tokenAt(number));

describe.each(databases)(`%s with ${tokenCount} tokens of one owner`, (name, create) => {
  let store: Store;
  let database: Database | undefined;
  beforeAll(async () => {
    const url = await create();
    store = await openStore(url);
    if (name === "PostgreSQL") database = await openPostgres(url);
    await apply(store, block(1, collection(cats), collection(dogs)));
    for (let start = 0; start < tokenCount; start += perBlock) {
      const changes = tokens
        .slice(start, start + perBlock)
        .map(({ collectionAddr, tokenId }) => mint(collectionAddr, tokenId, whale, { txHash: hash(Number(tokenId)) }));
      await apply(store, block(2 + start / perBlock, ...changes));
    }
  });
  afterAll(async () => {
    await database?.close();
    await store.close();
  });

  it.each([
    { filter: { owner: whale }, orderBy: "token_id" },
    { filter: { owner: whale }, orderBy: "height" },
    { filter: { owner: whale, collectionAddr: cats }, orderBy: "token_id" },
    { filter: { collectionAddr: cats }, orderBy: "height" },
  ] as const)("reads 100 of $filter by $orderBy at any depth, without reading the pages before", async (listing) => {
    const listed = listedBy(listing);
    const ranks = new Map(listed.map(({ tokenId }, rank) => [tokenId, rank]));
    const times: number[] = [];
    const pages: number[] = [];
    for (let number = 1; number < tokenCount; number += tokenCount / 100) {
      const reverse = number % 3 === 0;
      const request: TokensRequest = { ...listing, place: { after: tokenAt(number) }, limit, reverse };
      const begin = performance.now();
      const rows = await store.readTokens(request);
      times.push(performance.now() - begin);
      const rank = ranks.get(String(number)) ?? Number.NaN;
      const expected = reverse
        ? listed.slice(Math.max(0, rank - limit), rank).reverse()
        : listed.slice(rank + 1, rank + 1 + limit);
      expect(expected.length).toBeGreaterThan(0);
      expect(rows.map(({ tokenId }) => tokenId)).toEqual(expected.map(({ tokenId }) => tokenId));
      if (database) pages.push(await countPages(database, request));
    }
    const p95 = times.sort((a, b) => a - b)[94] ?? Number.NaN;
    const touched = database ? `, at most ${Math.max(...pages)} pages of memory touched` : "";
    console.log(`${name}: p95 ${p95.toFixed(1)} ms${touched}`);
    // SQLite does not count pages; queryPlans.test.ts shows that its search starts at the place.
    for (const count of pages) expect(count).toBeLessThan(maxPages);
  });
});

/** All tokens of a listing, ascending. */
function listedBy({ filter, orderBy }: Pick<TokensRequest, "filter" | "orderBy">): typeof tokens {
  const inListing = tokens.filter(({ collectionAddr }) => (filter.collectionAddr ?? collectionAddr) === collectionAddr);
  const byId = inListing.sort((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
  return orderBy === "token_id" ? byId : byId.sort((a, b) => a.height - b.height);
}

/** The number of pages that PostgreSQL touches to answer a request, cached or not. */
async function countPages(database: Database, request: TokensRequest): Promise<number> {
  const [row] = await explain<{
    readonly "QUERY PLAN": readonly [{ readonly Plan: Readonly<Record<string, number>> }];
  }>(database, "explain (analyze, buffers, format json)", tokensQuery(database, request));
  const plan = row?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? Number.NaN) + (plan?.["Shared Read Blocks"] ?? Number.NaN);
}
