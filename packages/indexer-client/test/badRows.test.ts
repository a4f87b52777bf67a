import { expect, test } from "vitest";
import { openIndexer, tokensByCollection, type BadRow, type IndexerOptions, type NftToken } from "../src/index.ts";
import { sendText, serve } from "./httpServer.ts";
import { playIndexer, recordedTokens } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const quick: IndexerOptions = { retry: { minDelayMs: 1 } };

const idOf = ({ nft }: NftToken) => nft.token_id;

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

const bad = (...ids: string[]) => ({ isBad: (row: NftToken) => ids.includes(idOf(row)) });

test("end the iteration unless they may be skipped", async () => {
  const { url, requests } = await playIndexer(recordedTokens, bad("7"));
  const listing = tokensByCollection(openIndexer(url, quick), collectionAddr);
  await expect(collect(listing)).rejects.toMatchObject({ code: "INDEXER_SERVER_ERROR", status: 500 });
  expect(requests).toHaveLength(3);
});

test.each([
  ["keyset", ["7"]],
  ["offset", ["7"]],
  ["keyset", ["0", "1", "100", "101", "249"]],
  ["offset", ["0", "1", "100", "101", "249"]],
] as const)("by %s: %j are skipped and reported, all others are returned", async (paging, badIds) => {
  const { url, requests } = await playIndexer(recordedTokens, bad(...badIds));
  const listing = tokensByCollection(openIndexer(url, quick), collectionAddr, {
    paging,
    orderBy: "height",
    reverse: false,
  });
  const stepped: BadRow[] = [];
  const rows = await collect(listing.items({ limit: 100, onBadRow: (row) => stepped.push(row) }));
  expect(stepped.map(({ offset }) => String(offset))).toEqual(badIds);
  expect(stepped.every(({ error }) => error.status === 500)).toBe(true);
  expect(rows).toEqual(recordedTokens.filter((row) => !badIds.includes(idOf(row) as never)));
  // Halving 100 down to 1, with two retries at both ends.
  expect(requests.length).toBeLessThan(20 * badIds.length + 5);
});

test("a server that always fails ends the iteration", async () => {
  const server = await serve((_, response) => sendText(response, 500, "Internal Server Error"));
  const listing = tokensByCollection(openIndexer(server.url, quick), collectionAddr);
  const stepped: BadRow[] = [];
  await expect(collect(listing.items({ onBadRow: (row) => stepped.push(row) }))).rejects.toMatchObject({
    status: 500,
  });
  expect(stepped).toHaveLength(20);
  expect(server.requests.length).toBeLessThan(100);
});

test("no other error is skipped", async () => {
  const server = await serve((_, response) => sendText(response, 503));
  const listing = tokensByCollection(openIndexer(server.url, quick), collectionAddr);
  const stepped: BadRow[] = [];
  await expect(collect(listing.items({ onBadRow: (row) => stepped.push(row) }))).rejects.toMatchObject({
    status: 503,
  });
  expect(stepped).toEqual([]);
});
