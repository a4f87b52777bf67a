import { describe, expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { IndexerMovingError, readHolders, type HoldersProgress } from "../src/holders.ts";
import { openIndexer } from "../src/index.ts";
import { failure, stopServers } from "./httpServer.ts";
import { MovingCollection, randomNumbers, sorted } from "./movingCollection.ts";
import { playIndexer, token, type PlayedIndexerOptions } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const seed = fuzzSeed();

/** Enough attempts for a collection that changes often. */
const many = { attempts: 1000, limit: 40 };

/** Imitates a real server over a collection, which keeps each answer; `onRequest` is called with each request. */
async function playReal(
  collection: MovingCollection,
  onRequest: (request: number, path: string) => Promise<void> | void = () => {},
  options: PlayedIndexerOptions = {},
) {
  const { url, requests } = await playIndexer(collection.tokens, {
    height: () => collection.height,
    clock: () => 0,
    ownCount: (count) => count + 7,
    onRequest,
    ...options,
  });
  return { indexer: openIndexer(url, { retry: { minDelayMs: 1 } }), requests };
}

test("an unchanging collection is read once, each owner once", async () => {
  const collection = new MovingCollection(2500, randomNumbers(1));
  const { indexer, requests } = await playReal(collection);
  const progress: HoldersProgress[] = [];
  const read = await readHolders(indexer, collectionAddr, { onProgress: (step) => progress.push(step) });
  expect(read).toMatchObject({
    height: 10,
    chainId: "rly-1",
    tokens: 2500,
    collection: { object_addr: collectionAddr },
    unreadable: [],
  });
  expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
  expect(read.holders.size).toBe(2);
  expect(progress).toEqual([
    { attempt: 1, tokensRead: 1000 },
    { attempt: 1, tokensRead: 2000 },
    { attempt: 1, tokensRead: 2500 },
  ]);
  // The collection, the height, three pages and an empty one, the newest change, the height.
  expect(requests).toHaveLength(8);
});

test("a collection whose last token is burned is empty, whatever its own count", async () => {
  const collection = new MovingCollection(1, randomNumbers(1));
  const { indexer } = await playReal(collection, (request) => {
    if (request === 2) collection.burn();
  });
  const read = await readHolders(indexer, collectionAddr);
  expect(read).toMatchObject({ height: 11, tokens: 0, collection: { collection: { nfts: { length: 8 } } } });
  expect(read.holders.size).toBe(0);
});

describe("a collection that changes", () => {
  test.each([
    ["counted", undefined],
    ["never counted", () => "-1"],
  ])("is read as of one height, %s", async (_, total) => {
    const random = randomNumbers(seed);
    for (let round = 0; round < 10; round += 1) {
      const collection = new MovingCollection(400, random);
      // In each round one that changes rarely and one that changes often.
      const chance = round % 2 ? 0.01 : 0.05;
      const change = () => {
        if (random() < chance) collection.change();
      };
      // A real server reads the count first and then the rows.
      const options = { onCounted: change, ...(total === undefined ? {} : { total }) };
      const { indexer } = await playReal(collection, change, options);
      const read = await readHolders(indexer, collectionAddr, many);
      expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
      await stopServers();
    }
  });

  test("is read although its own count is cached for 10 s while a token is burned", async () => {
    const collection = new MovingCollection(34, randomNumbers(3));
    const { indexer } = await playReal(
      collection,
      (request) => {
        if (request === 3) collection.burn();
      },
      { ownCount: (count) => count },
    );
    await indexer.get(`/indexer/nft/v1/collections/${collectionAddr}`);
    const read = await readHolders(indexer, collectionAddr);
    expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
    expect(read.tokens).toBe(collection.tokens.length);
  });

  test("is not read again for blocks that do not change it", async () => {
    const collection = new MovingCollection(2500, randomNumbers(seed));
    const { indexer, requests } = await playReal(collection, (request) => {
      if (request >= 2 && request <= 5) collection.pass();
    });
    const read = await readHolders(indexer, collectionAddr);
    expect(read.height).toBe(14);
    expect(sorted(read.holders)).toEqual(collection.holdersAt(14));
    // Then the height, the newest change and the height again.
    expect(requests).toHaveLength(8 + 3);
  });

  test.each([
    ["transferred", (collection: MovingCollection) => collection.transfer()],
    ["burned", (collection: MovingCollection) => collection.burn()],
    ["minted", (collection: MovingCollection) => collection.mint()],
  ])("is read again if a token is %s during any request", async (_, change) => {
    for (let at = 0; at < 8; at += 1) {
      const collection = new MovingCollection(2500, randomNumbers(seed));
      const { indexer } = await playReal(collection, (request) => {
        if (request === at) change(collection);
      });
      const read = await readHolders(indexer, collectionAddr);
      expect(read.height).toBe(11);
      expect(sorted(read.holders)).toEqual(collection.holdersAt(11));
      await stopServers();
    }
  });

  test("with a block between all requests, is read once it is unchanged for two", async () => {
    const collection = new MovingCollection(50, randomNumbers(seed));
    const { indexer } = await playReal(collection, (request) => {
      if (request % 8 === 0) collection.change();
      else collection.pass();
    });
    const read = await readHolders(indexer, collectionAddr);
    expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
  });

  test("in every attempt ends with its own error", async () => {
    const collection = new MovingCollection(1500, randomNumbers(seed));
    const { indexer } = await playReal(collection, (_, path) => {
      if (path.includes("by_collection")) collection.mint();
    });
    const error = await failure(readHolders(indexer, collectionAddr, { attempts: 3 }));
    expect(error).toBeInstanceOf(IndexerMovingError);
    expect(error).toMatchObject({ code: "INDEXER_MOVING", attempts: 3, retryable: true, name: "IndexerMovingError" });
  });
});

test.each([
  ["more than are listed", 1],
  ["fewer than are listed", -1],
])("a count of %s is not accepted", async (_, wrong) => {
  const collection = new MovingCollection(2, randomNumbers(1));
  const { indexer } = await playReal(collection, undefined, { total: (count) => String(count + wrong) });
  const error = await failure(readHolders(indexer, collectionAddr));
  expect(error).toMatchObject({ code: "INDEXER_MOVING", height: 10 });
  expect((error as Error).message).toMatch(new RegExp(`\\b2 tokens\\b.*\\b${2 + wrong}\\b`));
});

test("a token that is listed twice is refused", async () => {
  const collection = new MovingCollection(3, randomNumbers(1));
  const [first = token("0", 10)] = collection.tokens;
  collection.tokens.push({ ...first, height: 9 });
  const { indexer } = await playReal(collection);
  for (const limit of [1, 1000]) {
    const reading = readHolders(indexer, collectionAddr, { limit });
    expect(await failure(reading)).toMatchObject({ code: "INDEXER_MOVING" });
  }
});

test("answers that the server keeps by their URL do not mislead", async () => {
  const collection = new MovingCollection(50, randomNumbers(2));
  const { indexer } = await playReal(collection);
  const first = await readHolders(indexer, collectionAddr);
  expect(sorted(first.holders)).toEqual(collection.holdersAt(first.height));
  collection.transfer();
  collection.burn();
  const second = await readHolders(indexer, collectionAddr);
  expect(second.height).toBe(collection.height);
  expect(sorted(second.holders)).toEqual(collection.holdersAt(second.height));
});

test.each([0, 1])("several servers that answer in turn, one behind, end with the error, %i", async (start) => {
  const collection = new MovingCollection(50, randomNumbers(2));
  const { height } = collection;
  let turn = start;
  const { indexer } = await playReal(collection, undefined, { height: () => height + ((turn += 1) % 2) });
  expect(await failure(readHolders(indexer, collectionAddr))).toMatchObject({ code: "INDEXER_MOVING" });
});

test("a missing collection, an invalid owner, two chains in turn", async () => {
  const { url } = await playIndexer([{ ...token("1", 5), owner: "cosmos1abc" }]);
  expect(await failure(readHolders(openIndexer(url), "0xc2"))).toMatchObject({
    code: "INDEXER_NOT_FOUND",
  });
  const error = await failure(readHolders(openIndexer(url), collectionAddr));
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER" });
  expect((error as Error).message).toContain("owner");
  const turning = await playIndexer([token("1", 5)]);
  let turn = 0;
  const indexer = openIndexer(turning.url, {
    fetch: async (asked, init) => {
      const text = await (await fetch(asked, init)).text();
      turn += 1;
      return Response.json(JSON.parse(text.replace("rly-1", `rly-${turn}`)));
    },
  });
  expect(await failure(readHolders(indexer, collectionAddr))).toMatchObject({
    code: "INDEXER_BAD_ANSWER",
  });
});

test("an abort ends it", async () => {
  const collection = new MovingCollection(5, randomNumbers(1));
  // The server never answers the third request.
  const { indexer, requests } = await playReal(collection, (request) => {
    if (request === 2) return new Promise<void>(() => {});
    return undefined;
  });
  const caller = new AbortController();
  const reason = new Error("enough");
  const reading = failure(readHolders(indexer, collectionAddr, { signal: caller.signal }));
  await expect.poll(() => requests.length).toBe(3);
  caller.abort(reason);
  expect(await reading).toBe(reason);
});
