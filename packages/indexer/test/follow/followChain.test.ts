import { afterEach, beforeEach, expect, test } from "vitest";
import { VipError } from "@vipscore/core";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { startFollowing, type Following } from "./following.ts";
import { away, PlayedChain, silence } from "./playedChain.ts";

let store: Store;
let running: Following[] = [];
beforeEach(async () => {
  store = await openStore(":memory:");
});
afterEach(async () => {
  await Promise.allSettled(running.map(({ stop }) => stop()));
  running = [];
  await store.close();
});

function follow(chain: PlayedChain, options: { readonly startHeight?: number } = {}): Following {
  const following = startFollowing({ chain, store, ...options });
  running.push(following);
  return following;
}

/** Waits until the last started follower has stored a block. */
async function untilIndexed(height: number): Promise<void> {
  await running.at(-1)?.untilIndexed(height);
}

/** Ids of all tokens, ascending. */
async function storedIds(): Promise<readonly number[]> {
  const [collectionAddr] = await store.readCollectionAddrs();
  const rows = await store.readTokens({
    filter: { collectionAddr },
    orderBy: "height",
    place: { offset: 0n },
    limit: 10_000,
    reverse: false,
  });
  return rows.map(({ tokenId }) => Number(tokenId));
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("all blocks are stored, and each new one as it appears", async () => {
  const chain = new PlayedChain(35);
  const { events } = follow(chain);
  await untilIndexed(35);
  chain.head = 36;
  await untilIndexed(36);
  expect(await storedIds()).toEqual(upTo(36));
  expect(await store.readChain()).toMatchObject({ chainId: "played-1", blockHash: chain.hashOf(36) });
  expect(events).toEqual(
    [
      [10, 35, 11],
      [20, 35, 10],
      [30, 35, 10],
      [35, 35, 5],
      [36, 36, 1],
    ].map(([height, head, changes]) => ({ type: "indexed", height, head, changes })),
  );
});

test("a new database starts at the start height, even a future one; an existing one continues", async () => {
  const chain = new PlayedChain(3);
  const first = follow(chain, { startHeight: 7 });
  await expect.poll(() => chain.asked.filter((asked) => asked === "head").length).toBeGreaterThan(15);
  expect(await store.readChain()).toMatchObject({ height: 6, blockHash: "" });
  chain.head = 9;
  await untilIndexed(9);
  await first.stop();
  chain.head = 12;
  follow(chain, { startHeight: 1 });
  await untilIndexed(12);
  expect(await storedIds()).toEqual(upTo(12, 7));
  expect(chain.asked.filter((asked) => asked.startsWith("blocks"))).toEqual(["blocks 7-9", "blocks 10-12"]);
});

test("the next range, and no further one, is read while one is stored", async () => {
  const chain = new PlayedChain(50);
  const begun: number[] = [];
  const applyBlocks: Store["applyBlocks"] = async (blocks, progress) => {
    begun.push(chain.begun);
    return store.applyBlocks(blocks, progress);
  };
  const following = startFollowing({ chain, store: { ...store, applyBlocks } });
  running.push(following);
  await untilIndexed(50);
  expect(begun).toEqual([20, 30, 40, 50, 50]);
});

test("a collection that was read but not stored yet is known to the next read", async () => {
  const chain = new PlayedChain(30);
  const { events } = follow(chain);
  await untilIndexed(30);
  expect(events.map((event) => event.type === "indexed" && event.changes)).toEqual([11, 10, 10]);
});

test("an unreachable node is retried with growing pauses, wherever it fails", async () => {
  const chain = new PlayedChain(15);
  const failures = new Map([
    ["chain id", 1],
    ["head", 2],
    ["blocks 1-10", 2],
    ["hash 10", 2],
    ["blocks 11-15", 1],
  ]);
  chain.beforeAnswer = (asked) => {
    const left = failures.get(asked) ?? 0;
    failures.set(asked, left - 1);
    if (left > 0) throw away();
  };
  const { events } = follow(chain);
  await untilIndexed(15);
  const waits = events.flatMap((event) => (event.type === "waiting" ? [event] : []));
  expect(waits.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 1, 2, 3, 4, 1]);
  for (const { attempt, delayMs, error } of waits) {
    expect(error.code).toBe("NODE_UNREACHABLE");
    expect(delayMs).toBeGreaterThanOrEqual(125 * 2 ** (attempt - 1));
    expect(delayMs).toBeLessThanOrEqual(250 * 2 ** (attempt - 1));
  }
  expect(await storedIds()).toEqual(upTo(15));
});

test("items that the store leaves out are reported before their blocks", async () => {
  const chain = new PlayedChain(12);
  const left = { height: 3, collectionAddr: `0x${"cc".repeat(20)}`, reason: "a text that no database takes" } as const;
  const applyBlocks: Store["applyBlocks"] = async (blocks, progress) => {
    await store.applyBlocks(blocks, progress);
    return progress.height === 10 ? [left] : [];
  };
  const following = startFollowing({ chain, store: { ...store, applyBlocks } });
  running.push(following);
  await untilIndexed(12);
  expect(following.events).toHaveLength(3);
  expect(following.events[0]).toEqual({ type: "leftOut", ...left });
});

test("an error that is not a NodeError ends the follower", async () => {
  const chain = new PlayedChain(15);
  const fault = new TypeError("a bug");
  chain.beforeAnswer = (asked) => {
    if (asked === "blocks 11-15") throw fault;
  };
  await expect(follow(chain).ended).rejects.toBe(fault);
  expect(await store.readChain()).toMatchObject({ height: 10 });
});

test("an error of the store ends the follower and its read-ahead", async () => {
  const chain = new PlayedChain(50);
  const fault = new Error("disk full");
  const applyBlocks = () => Promise.reject(fault);
  await expect(startFollowing({ chain, store: { ...store, applyBlocks } }).ended).rejects.toBe(fault);
});

test.each(["chain id", "head", "blocks 1-10", "blocks 11-15", "hash 15"])(
  "the signal ends a follower that waits for %s",
  async (stuck) => {
    const chain = new PlayedChain(15);
    chain.beforeAnswer = (asked, signal) => (asked === stuck ? silence(signal) : undefined);
    const following = follow(chain);
    await expect.poll(() => chain.asked).toContain(stuck);
    await following.stop();
  },
);

test("the signal ends a follower that waits for an unreachable node", async () => {
  const chain = new PlayedChain(15);
  chain.beforeAnswer = () => {
    throw away();
  };
  const following = follow(chain);
  await expect.poll(() => following.events.length).toBeGreaterThan(0);
  await following.stop();
});

test("a database of another chain is refused", async () => {
  await store.beginChain("other-1", 0);
  await expect(follow(new PlayedChain(5)).ended).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
});

test.each([
  ["is lower", 12],
  ["is as high", 20],
  ["is higher", 31],
])("a chain that was restarted and %s is detected at the start", async (_, head) => {
  const chain = new PlayedChain(20);
  const first = follow(chain);
  await untilIndexed(20);
  await first.stop();
  chain.genesis = "b";
  chain.head = head;
  await expect(follow(chain).ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  expect(await store.readChain()).toMatchObject({ height: 20, blockHash: expect.stringMatching(/^0xa/) as string });
});

test("a chain that is restarted is detected while it is indexed", async () => {
  const chain = new PlayedChain(20);
  const { ended } = follow(chain);
  await untilIndexed(20);
  chain.genesis = "b";
  chain.head = 21;
  await expect(ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
});

test("a node that lags for a moment is not a restarted chain", async () => {
  const chain = new PlayedChain(20);
  follow(chain);
  await untilIndexed(20);
  chain.asked.length = 0;
  let looks = 0;
  chain.beforeAnswer = (asked) => {
    if (asked === "head") chain.head = ++looks < 6 ? 18 : 22;
  };
  await untilIndexed(22);
  expect(await storedIds()).toEqual(upTo(22));
});

test("ranges get smaller when blocks are full, and larger again", async () => {
  const chain = new PlayedChain(400, 64);
  const readBlocks = chain.readBlocks;
  const full = (height: number) => height > 100 && height <= 200;
  const crowded = Object.assign(chain, {
    readBlocks: async (...asked: Parameters<typeof readBlocks>) => {
      const blocks = await readBlocks(...asked);
      return blocks.map((block) => {
        const [minted] = block.changes.slice(-1);
        if (!full(block.height) || minted?.kind !== "minted") return block;
        const many = upTo(300).map((id) => ({ ...minted, tokenId: `${block.height}-${id}` }));
        return { ...block, changes: [...block.changes, ...many] };
      });
    },
  });
  const { events } = follow(crowded);
  await untilIndexed(400);
  const widths = chain.asked.flatMap((asked) => {
    const [, first, last] = /^blocks (\d+)-(\d+)$/.exec(asked) ?? [];
    return first === undefined ? [] : [Number(last) - Number(first) + 1];
  });
  expect(Math.min(...widths)).toBeLessThanOrEqual(16);
  expect(widths.slice(-2)[0]).toBe(64);
  const most = events.map((event) => (event.type === "indexed" ? event.changes : 0));
  expect(Math.max(...most)).toBeLessThanOrEqual(64 * 301);
});

test("an unreachable database is retried, and a commit whose answer was lost is not stored again", async () => {
  const chain = new PlayedChain(35);
  let failures = 0;
  const flaky: Store = {
    ...store,
    applyBlocks: async (blocks, progress) => {
      failures += 1;
      const leftOut = failures === 2 ? [] : await store.applyBlocks(blocks, progress);
      if (failures <= 3) throw new VipError("the database is away", { code: "DATABASE_UNREACHABLE" });
      return leftOut;
    },
  };
  const following = startFollowing({ chain, store: flaky });
  running.push(following);
  await untilIndexed(35);
  expect(await storedIds()).toEqual(upTo(35));
  const waits = following.events.filter(({ type }) => type === "waiting");
  expect(waits.map((wait) => wait.type === "waiting" && wait.error.code)).toEqual(
    Array.from({ length: 3 }, () => "DATABASE_UNREACHABLE"),
  );
});

test("a damaged database ends the follower", async () => {
  const broken: Store = {
    ...store,
    applyBlocks: () => Promise.reject(new VipError("the database is damaged", { code: "DATABASE_INVALID" })),
  };
  const following = startFollowing({ chain: new PlayedChain(3), store: broken });
  await expect(following.ended).rejects.toMatchObject({ code: "DATABASE_INVALID" });
});
