import { describe, expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { readHolders } from "../src/holders.ts";
import { IndexerServerError, openIndexer } from "../src/index.ts";
import { sendJson, sendText, serve, stopServers } from "./httpServer.ts";
import { MovingCollection, randomNumbers } from "./movingCollection.ts";
import { playIndexer, recordedTokens } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const quick = { retry: { minDelayMs: 1 } };
const options = { skipUnreadable: true };
const seed = fuzzSeed();

/** The IDs in the order of the listing. */
const ids = recordedTokens.map(({ nft }) => nft.token_id).sort();

const play = async (badIds: readonly string[]) => {
  const { url, requests } = await playIndexer(recordedTokens, {
    clock: () => 0,
    isBad: ({ nft }) => badIds.includes(nft.token_id),
  });
  return { indexer: openIndexer(url, quick), requests };
};

describe("a token that the server cannot serve", () => {
  test("ends the read unless it may be skipped", async () => {
    const { indexer } = await play(["7"]);
    await expect(readHolders(indexer, collectionAddr)).rejects.toMatchObject({
      code: "INDEXER_SERVER_ERROR",
      status: 500,
    });
  });

  test.each([[["0"]], [["7"]], [["249"]], [["100", "101"]], [["0", "1", "40", "100", "101", "102", "248", "249"]]])(
    "%j: is skipped and its row is named, all others are read",
    async (badIds) => {
      const { indexer, requests } = await play(badIds);
      const read = await readHolders(indexer, collectionAddr, { ...options, limit: 100 });
      expect(read.unreadable.map(({ offset }) => ids[offset])).toEqual(badIds.toSorted());
      expect(read.unreadable.every(({ error }) => error instanceof IndexerServerError)).toBe(true);
      expect(read.tokens).toBe(250 - badIds.length);
      expect(requests.length).toBeLessThan(40 * badIds.length + 20);
    },
  );

  test("is skipped while tokens, including itself, move and burn", async () => {
    const random = randomNumbers(seed);
    for (let round = 0; round < 10; round += 1) {
      const collection = new MovingCollection(60, random);
      const bad = new Set([17, 41].map((place) => collection.tokens[place]?.nft.token_id));
      const { url } = await playIndexer(collection.tokens, {
        clock: () => 0,
        height: () => collection.height,
        isBad: ({ nft }) => bad.has(nft.token_id),
        onRequest: () => {
          if (random() < 0.03) collection.change();
        },
      });
      const read = await readHolders(openIndexer(url, quick), collectionAddr, {
        ...options,
        attempts: 1000,
        limit: 10,
      });
      const all = collection.holdersAt(read.height) ?? [];
      expect(read.tokens + read.unreadable.length).toBe(all.reduce((sum, [, held]) => sum + held, 0));
      for (const [owner, held] of all) {
        const missing = held - (read.holders.get(owner as `0x${string}`) ?? 0);
        expect(missing).toBeGreaterThanOrEqual(0);
      }
      await stopServers();
    }
  });
});

test("a server that always fails ends the read", async () => {
  const { url } = await playIndexer(recordedTokens, { clock: () => 0 });
  const server = await serve((request, response) => {
    const path = request.url ?? "";
    if (path.includes("by_collection")) return sendText(response, 500, "Internal Server Error");
    void fetch(url + path)
      .then((answer) => answer.json())
      .then((body) => sendJson(response, body));
  });
  const reading = readHolders(openIndexer(server.url, quick), collectionAddr, options);
  await expect(reading).rejects.toMatchObject({ status: 500 });
  expect(server.requests.length).toBeLessThan(100);
});
