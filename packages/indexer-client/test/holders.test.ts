import { afterEach, describe, expect, test, vi } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { until } from "@vipscore/testkit/until";
import { IndexerMovingError, readHolders, type Holders, type HoldersProgress } from "../src/holders.ts";
import { openIndexer } from "../src/index.ts";
import { serve, stopServers } from "./httpServer.ts";
import { MovingCollection, randomNumbers, sorted } from "./movingCollection.ts";
import { playIndexer, token, type PlayedIndexerOptions } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const seed = fuzzSeed();

/** A pause of this length would hang a test. */
const never = 2_000_000_000;

/** Duration of a request, on the fake server's clock. */
const requestMs = 50;

afterEach(async () => {
  vi.useRealTimers();
  await stopServers();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: unknown) => error,
  );

/** Imitates a real server over a collection; `passTime` is called with each request. */
async function playReal(
  collection: MovingCollection,
  passTime: (request: number, path: string) => void = () => {},
  options: PlayedIndexerOptions = {},
) {
  let now = 0;
  const { url, requests } = await playIndexer(collection.tokens, {
    height: () => collection.height,
    clock: () => now,
    ownCount: (count) => count + 7,
    onRequest: (turn, path) => {
      now += requestMs;
      passTime(turn, path);
    },
    ...options,
  });
  return { indexer: openIndexer(url, { retry: { minDelayMs: 1 } }), requests };
}

test("an unchanging collection is read once, each owner once, without a pause", async () => {
  const collection = new MovingCollection(2500, randomNumbers(1));
  const { indexer, requests } = await playReal(collection);
  const progress: HoldersProgress[] = [];
  const read = await readHolders(indexer, collectionAddr, {
    cacheMs: never,
    onProgress: (step) => progress.push(step),
  });
  expect(read).toMatchObject({
    height: 10,
    chainId: "rly-1",
    tokens: 2500,
    collection: { object_addr: collectionAddr },
    unreadable: [],
  });
  expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
  expect(read.holders.size).toBe(2);
  expect(progress.slice(0, 3)).toEqual([
    { attempt: 1, tokensRead: 1000, tokens: 2500 },
    { attempt: 1, tokensRead: 2000, tokens: 2500 },
    { attempt: 1, tokensRead: 2500, tokens: 2500 },
  ]);
  // The collection, three heights, three pages, what follows the last token, twice.
  expect(requests).toHaveLength(9);
});

test("a collection whose last token is burned is empty, whatever its own count", async () => {
  const collection = new MovingCollection(1, randomNumbers(1));
  const { indexer } = await playReal(collection, (request) => {
    if (request === 2) collection.burn();
  });
  const read = await readHolders(indexer, collectionAddr, { cacheMs: never });
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
      const chance = round % 2 ? 0.02 : 0.1;
      const change = () => {
        if (random() < chance) collection.change();
      };
      // A real server reads the count first and then the rows.
      const options = { onCounted: change, ...(total === undefined ? {} : { total }) };
      const { indexer } = await playReal(collection, change, options);
      const read = await readHolders(indexer, collectionAddr, { cacheMs: never, limit: 40 });
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
    const read = await readHolders(indexer, collectionAddr, { cacheMs: never });
    expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
    expect(read.tokens).toBe(collection.tokens.length);
  });

  // 700,000 tokens in pages of 1,000 take as many pages as 1,400 in pages of 2.
  test.each([
    ["1,000 tokens, a transfer every 2 s", 1000, 1000, 2000, 40],
    ["700,000 tokens, a transfer every second", 1400, 2, 1000, 40],
  ])("%s: only changes are read again", async (_, count, limit, everyMs, most) => {
    const random = randomNumbers(seed);
    const collection = new MovingCollection(count, random);
    const { indexer, requests } = await playReal(collection, (request) => {
      if ((request * requestMs) % everyMs !== 0) return;
      collection.transfer();
    });
    const read = await readHolders(indexer, collectionAddr, { cacheMs: never, limit });
    expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
    expect(requests.length).toBeLessThan(count / limit + most);
  });

  test("with a block between all requests, is read once it is unchanged for two", async () => {
    const collection = new MovingCollection(50, randomNumbers(seed));
    const { indexer } = await playReal(collection, (request) => {
      if (request % 8 === 0) collection.change();
      else collection.pass();
    });
    const read = await readHolders(indexer, collectionAddr, { cacheMs: never });
    expect(sorted(read.holders)).toEqual(collection.holdersAt(read.height));
  });

  test("in every attempt ends with its own error", async () => {
    const collection = new MovingCollection(1500, randomNumbers(seed));
    const { indexer } = await playReal(collection, (_, path) => {
      if (path.includes("by_collection")) collection.mint();
    });
    const error = await failure(readHolders(indexer, collectionAddr, { cacheMs: never, attempts: 3 }));
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
  const error = await failure(readHolders(indexer, collectionAddr, { cacheMs: never }));
  expect(error).toMatchObject({ code: "INDEXER_MOVING", height: 10 });
  expect((error as Error).message).toMatch(new RegExp(`\\b2 tokens\\b.*\\b${2 + wrong}\\b`));
});

test("cached answers do not mislead", async () => {
  const cacheMs = 150;
  // The server's clock stands still until the last reading.
  let now = 0;
  const collection = new MovingCollection(50, randomNumbers(2));
  const cache = new Map<string, { readonly text: string; readonly until: number }>();
  const played = await playIndexer(collection.tokens, { height: () => collection.height });
  // A cache in front that considers only the documented parameters and adds no headers.
  const server = await serve((request, response) => {
    const path = (request.url ?? "").replace(/[?&]_=[^&]*/, "");
    const answer = async () => {
      const kept = cache.get(path);
      if (kept && kept.until > now) return kept.text;
      const text = await (await fetch(played.url + path.replace(/^([^?]*)&/, "$1?"))).text();
      cache.set(path, { text, until: now + cacheMs });
      return text;
    };
    void answer().then((text) => response.writeHead(200, { "content-type": "application/json" }).end(text));
  });
  const indexer = openIndexer(server.url);
  const first = await readHolders(indexer, collectionAddr, { cacheMs: 0 });
  expect(sorted(first.holders)).toEqual(collection.holdersAt(first.height));
  // The listing is cached, the height is not: without waiting, a reader sees the old owner at the new height.
  collection.transfer();
  collection.burn();
  cache.delete("/status");
  const misled = await readHolders(indexer, collectionAddr, { cacheMs: 0 });
  expect(misled.height).toBe(collection.height);
  expect(sorted(misled.holders)).not.toEqual(collection.holdersAt(misled.height));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let read: Holders | undefined;
  const options = { cacheMs: cacheMs + 20 };
  const reading = readHolders(indexer, collectionAddr, options).then((found) => (read = found));
  const passTime = async () => {
    now += 10;
    await vi.advanceTimersByTimeAsync(10);
    return read;
  };
  const [after] = await Promise.all([until("the holders", passTime), reading]);
  expect(after.height).toBe(collection.height);
  expect(sorted(after.holders)).toEqual(collection.holdersAt(after.height));
});

test("several servers that answer in turn, one behind, are read with pauses", async () => {
  const collection = new MovingCollection(50, randomNumbers(2));
  const height = collection.height;
  let turn = 0;
  const { indexer } = await playReal(collection, undefined, { height: () => height - ((turn += 1) % 2) });
  const reading = readHolders(indexer, collectionAddr, { cacheMs: never, signal: AbortSignal.timeout(1000) });
  expect(await failure(reading)).toMatchObject({ name: "TimeoutError" });
});

test("a missing collection, an invalid owner, two chains in turn", async () => {
  const { url } = await playIndexer([{ ...token("1", 5), owner: "cosmos1abc" }]);
  expect(await failure(readHolders(openIndexer(url), "0xc2", { cacheMs: 0 }))).toMatchObject({
    code: "INDEXER_NOT_FOUND",
  });
  const error = await failure(readHolders(openIndexer(url), collectionAddr, { cacheMs: 0 }));
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER" });
  expect((error as Error).message).toContain("owner");
  const turning = await playIndexer([token("1", 5)]);
  let turn = 0;
  const indexer = openIndexer(turning.url, {
    fetch: async (asked, init) => {
      const text = await (await fetch(asked, init)).text();
      turn += 1;
      return Response.json(JSON.parse(text.replace("rly-1", `rly-${turn}`)), {
        headers: { "cache-control": "no-store" },
      });
    },
  });
  expect(await failure(readHolders(indexer, collectionAddr))).toMatchObject({
    code: "INDEXER_BAD_ANSWER",
  });
});

test("an abort ends it, even during a pause", async () => {
  const server = await playIndexer([token("1", 5)]);
  const caller = new AbortController();
  const reason = new Error("enough");
  const reading = failure(
    readHolders(openIndexer(server.url), collectionAddr, { cacheMs: never, signal: caller.signal }),
  );
  await expect.poll(() => server.requests.length).toBe(2);
  caller.abort(reason);
  expect(await reading).toBe(reason);
});
