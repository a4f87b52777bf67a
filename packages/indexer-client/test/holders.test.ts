import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { until } from "@vipscore/testkit/until";
import { afterEach, describe, expect, test, vi } from "vitest";
import { IndexerMovingError, readHolders, type Holders, type HoldersProgress } from "../src/holders.ts";
import { decodeAddress } from "../src/decodeAddress.ts";
import { openIndexer, type NftToken } from "../src/index.ts";
import { sendJson, serve, stopServers } from "./httpServer.ts";
import { playIndexer, token } from "./playedIndexer.ts";

const collectionAddr = "0xc100000000000000000000000000000000000001";
const seed = fuzzSeed();

/** The owners of the tests, as a server spells them; the last two are one account. */
const owners = [
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz",
  "0xaaaa00000000000000000000000000000000aaaa",
];

afterEach(async () => {
  vi.useRealTimers();
  await stopServers();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: unknown) => error,
  );

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator modulo 2^32, its high bits. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A collection that changes, one block with each change. */
class Collection {
  height = 10;
  readonly tokens: NftToken[];
  #nextId: number;
  readonly #random: () => number;

  constructor(count: number, random: () => number) {
    this.#random = random;
    this.#nextId = count;
    this.tokens = Array.from({ length: count }, (_, index) => ({
      ...token(String(index), 10),
      owner: this.#anyOwner(),
    }));
  }

  #anyOwner(): string {
    return owners[Math.floor(this.#random() * owners.length)] ?? "";
  }

  /** Transfers, mints or burns a token, or does nothing, in a new block. */
  change(): void {
    this.height += 1;
    const place = Math.floor(this.#random() * this.tokens.length);
    const kind = Math.floor(this.#random() * 6);
    const row = this.tokens[place];
    if (kind === 0 && row) this.tokens[place] = { ...row, height: this.height, owner: this.#anyOwner() };
    if (kind === 1) this.tokens.splice(place, 1);
    if (kind === 2) {
      this.tokens.push({ ...token(String(this.#nextId), this.height), owner: this.#anyOwner() });
      this.#nextId += 1;
    }
  }

  holders(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const row of this.tokens) {
      const owner = decodeAddress(row.owner);
      tally.set(owner, (tally.get(owner) ?? 0) + 1);
    }
    return tally;
  }
}

const sorted = (holders: ReadonlyMap<string, number>) => Array.from(holders).sort(([a], [b]) => (a < b ? -1 : 1));

test("a collection that rests is read at its first attempt, each owner once", async () => {
  const collection = new Collection(2500, randomNumbers(1));
  const { url, requests } = await playIndexer(collection.tokens, { height: () => 77 });
  const progress: HoldersProgress[] = [];
  const read = await readHolders(openIndexer(url), collectionAddr, {
    cacheMs: 0,
    onProgress: (step) => progress.push(step),
  });
  expect(read).toMatchObject({
    height: 77,
    chainId: "rly-1",
    tokens: 2500,
    collection: { object_addr: collectionAddr },
  });
  expect(sorted(read.holders)).toEqual(sorted(collection.holders()));
  expect(read.holders.size).toBe(2);
  expect(progress.map(({ tokensRead }) => tokensRead)).toEqual([1000, 2000, 2500]);
  expect(progress[0]).toEqual({ attempt: 1, tokensRead: 1000, tokens: 2500 });
  // Two heights, one count, three pages and what follows the last token.
  expect(requests).toHaveLength(7);
});

describe("a collection that changes", () => {
  test("is either read as it was when it was counted, or not at all", async () => {
    const random = randomNumbers(seed);
    let read = 0;
    for (let round = 0; round < 60; round += 1) {
      const collection = new Collection(1200, random);
      // Of each round one that changes seldom and one that changes often.
      const chance = round % 2 ? 0.1 : 0.5;
      let counted: unknown;
      const { url } = await playIndexer(collection.tokens, {
        height: () => collection.height,
        onRequest: (_, path) => {
          if (random() < chance) collection.change();
          if (path.includes("/collections/")) counted = sorted(collection.holders());
        },
      });
      const result = await readHolders(openIndexer(url), collectionAddr, { cacheMs: 0, attempts: 3 }).catch(
        (error: unknown) => error,
      );
      await stopServers();
      if (result instanceof IndexerMovingError) continue;
      const { holders, tokens } = result as Awaited<ReturnType<typeof readHolders>>;
      read += 1;
      expect(sorted(holders)).toEqual(counted);
      expect(Array.from(holders.values()).reduce((sum, count) => sum + count, 0)).toBe(tokens);
    }
    expect(read).toBeGreaterThan(10);
  });

  test("in every attempt ends with an error of its own", async () => {
    const collection = new Collection(1500, randomNumbers(seed));
    const { url } = await playIndexer(collection.tokens, {
      height: () => collection.height,
      onRequest: (_, path) => {
        if (!path.includes("by_collection")) return;
        collection.height += 1;
        collection.tokens.push(token("zz", collection.height));
      },
    });
    const error = await failure(readHolders(openIndexer(url), collectionAddr, { cacheMs: 0, attempts: 3 }));
    expect(error).toBeInstanceOf(IndexerMovingError);
    expect(error).toMatchObject({ code: "INDEXER_MOVING", attempts: 3, retryable: true, name: "IndexerMovingError" });
    expect((error as Error).message).toMatch(/token zz had changed at height \d+$/);
  });
});

test.each([
  ["more than are listed", 3, "2 tokens were listed and 3 counted"],
  ["fewer than are listed", 1, "more tokens were listed and 1 counted"],
])("a count of %s is no reading", async (_, length, message) => {
  const rows = [token("1", 5), token("2", 5)];
  const { url } = await playIndexer(rows, { height: () => 9 });
  const indexer = openIndexer(url, {
    fetch: async (asked, init) => {
      const response = await fetch(asked, init);
      const text = await response.text();
      return new Response(text.replace(/"length":\d+/, `"length":${length}`), response);
    },
  });
  const error = await failure(readHolders(indexer, collectionAddr, { cacheMs: 0, attempts: 2 }));
  expect(error).toMatchObject({ code: "INDEXER_MOVING", height: 9 });
  expect((error as Error).message).toContain(message);
});

test("answers that a server gives out again do not mislead", async () => {
  const cacheMs = 150;
  // The server's clock stands still until the last reading.
  let now = 0;
  const collection = new Collection(50, randomNumbers(2));
  const cache = new Map<string, { readonly text: string; readonly until: number }>();
  const played = await playIndexer(collection.tokens, { height: () => collection.height });
  const server = await serve((request, response) => {
    const path = request.url ?? "";
    const answer = async () => {
      const kept = cache.get(path);
      if (kept && kept.until > now) return kept.text;
      const text = await (await fetch(played.url + path)).text();
      cache.set(path, { text, until: now + cacheMs });
      return text;
    };
    void answer().then((text) => response.writeHead(200, { "content-type": "application/json" }).end(text));
  });
  const indexer = openIndexer(server.url);
  const stale = await readHolders(indexer, collectionAddr, { cacheMs: 0 });
  expect(sorted(stale.holders)).toEqual(sorted(collection.holders()));
  // The listing is kept, the height is not: a reader that does not wait sees the old owner at the new height.
  collection.height += 1;
  collection.tokens[0] = { ...token("0", collection.height), owner: "0xbb" };
  cache.delete("/status");
  const misled = await readHolders(indexer, collectionAddr, { cacheMs: 0 });
  expect(misled.height).toBe(collection.height);
  expect(sorted(misled.holders)).not.toEqual(sorted(collection.holders()));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let read: Holders | undefined;
  const options = { cacheMs: cacheMs + 20 };
  const reading = readHolders(indexer, collectionAddr, options).then((found) => (read = found));
  const passTime = async () => {
    now += 10;
    await vi.advanceTimersByTimeAsync(10);
    return read;
  };
  const [{ height, holders }] = await Promise.all([until("the holders", passTime), reading]);
  expect(height).toBe(collection.height);
  expect(sorted(holders)).toEqual(sorted(collection.holders()));
});

test("a collection that is not there, an owner that is none, two chains in turn", async () => {
  const { url } = await playIndexer([{ ...token("1", 5), owner: "cosmos1abc" }]);
  expect(await failure(readHolders(openIndexer(url), "0xc2", { cacheMs: 0 }))).toMatchObject({
    code: "INDEXER_NOT_FOUND",
  });
  const error = await failure(readHolders(openIndexer(url), collectionAddr, { cacheMs: 0 }));
  expect(error).toMatchObject({ code: "INDEXER_BAD_ANSWER" });
  expect((error as Error).message).toContain("an owner that is no address");
  const turning = await playIndexer([token("1", 5)]);
  let turn = 0;
  const indexer = openIndexer(turning.url, {
    fetch: async (asked, init) => {
      const text = await (await fetch(asked, init)).text();
      turn += 1;
      return Response.json(JSON.parse(text.replace("rly-1", `rly-${turn}`)));
    },
  });
  expect(await failure(readHolders(indexer, collectionAddr, { cacheMs: 0 }))).toMatchObject({
    code: "INDEXER_BAD_ANSWER",
  });
});

test("an abort ends it, a pause included", async () => {
  const server = await serve((_, response) =>
    sendJson(response, { version: "1", commit_hash: "ab", chain_id: "rly-1", height: 7 }),
  );
  const caller = new AbortController();
  const reason = new Error("enough");
  const reading = failure(
    readHolders(openIndexer(server.url), collectionAddr, { cacheMs: 600_000, signal: caller.signal }),
  );
  await expect.poll(() => server.requests.length).toBe(1);
  caller.abort(reason);
  expect(await reading).toBe(reason);
});
