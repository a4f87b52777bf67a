import { afterEach, beforeEach, expect, test } from "vitest";
import { VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { startFollowing, type Following } from "./following.ts";
import { away, PlayedChain, silence } from "./playedChain.ts";

let store: Store;
let chain: PlayedChain;
let running: Following[] = [];
beforeEach(async () => {
  store = await openStore(":memory:");
  chain = new PlayedChain(250, 50);
  chain.hasUris = true;
});
afterEach(async () => {
  await Promise.allSettled(running.map(({ stop }) => stop()));
  running = [];
  await store.close();
});

function follow(writer: Store = store): Following {
  const following = startFollowing({ chain, store: writer });
  running.push(following);
  return following;
}

/** The URIs of all tokens, by height. */
async function storedUris(): Promise<readonly string[]> {
  const [collectionAddr] = await store.readCollectionAddrs();
  const page = { place: { offset: 0n }, limit: 1_000, reverse: false } as const;
  return (await store.readTokens({ filter: { collectionAddr }, orderBy: "height", ...page })).map(
    ({ uri = "" }) => uri,
  );
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => chain.uriOf(index + 1));
const urisAsked = () => chain.asked.flatMap((asked) => (asked.startsWith("uris ") ? [asked.slice(5)] : []));

test("URIs are read once all blocks are stored, those of the oldest block first, in bounded steps", async () => {
  const { events, untilRead } = follow();
  await untilRead(250);
  expect(await storedUris()).toEqual(upTo(250));
  const firstUris = chain.asked.findIndex((asked) => asked.startsWith("uris "));
  expect(chain.asked.findLastIndex((asked) => asked.startsWith("blocks "))).toBeLessThan(firstUris);
  const asked = urisAsked().map((ids) => ids.split(" ").map(Number));
  expect(asked.flat()).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(events.flatMap((event) => (event.type === "urisRead" ? [event.pendingUris] : []))).toEqual([150, 50, 0]);
});

test("new blocks are stored while the node does not answer for URIs, which are counted and empty meanwhile", async () => {
  chain.beforeAnswer = (asked, signal) => (asked.startsWith("uris ") ? silence(signal) : undefined);
  const { untilIndexed } = follow();
  await untilIndexed(250);
  await expect.poll(() => urisAsked()).toHaveLength(1);
  chain.head = 253;
  await untilIndexed(253);
  expect(await storedUris()).toEqual(Array.from({ length: 253 }, () => ""));
  expect(await store.readStatus()).toMatchObject({ height: 253, pendingUris: 253, leftOut: 0 });
});

test("a follower that was stopped while URIs were read continues with those that it has not stored", async () => {
  let steps = 0;
  chain.beforeAnswer = (asked, signal) => (asked.startsWith("uris ") && ++steps === 2 ? silence(signal) : undefined);
  const first = follow();
  await first.untilIndexed(250);
  await expect.poll(() => steps).toBe(2);
  await first.stop();
  expect(await store.readStatus()).toMatchObject({ pendingUris: 150 });
  const again = follow();
  await again.untilRead(250);
  expect(await storedUris()).toEqual(upTo(250));
  expect(urisAsked().slice(2).join(" ").split(" ").map(Number)[0]).toBe(101);
});

test("a node that fails is asked again for the same URIs", async () => {
  let failures = 2;
  chain.beforeAnswer = (asked) => {
    if (asked.startsWith("uris ") && failures-- > 0) throw away();
  };
  const { events, untilRead } = follow();
  await untilRead(250);
  expect(await storedUris()).toEqual(upTo(250));
  expect(events.flatMap((event) => (event.type === "waiting" ? [event.attempt] : []))).toEqual([1, 2]);
});

test("URIs that a node never gives do not hold up the others, and are read once it gives them", async () => {
  const all = chain.readUris.bind(chain);
  let givenFrom = 151;
  chain.readUris = async (pending, signal) => {
    const reads = (await all(pending, signal)).filter(({ height }) => height >= givenFrom);
    if (reads.length === 0) throw away();
    return reads;
  };
  const { events, untilRead } = follow();
  await until("100 URIs", async () => (await store.readStatus())?.pendingUris === 150);
  expect((await storedUris()).slice(150)).toEqual(upTo(250).slice(150));
  await expect
    .poll(() => events.some((event) => event.type === "waiting" && event.error.code === "NODE_ERROR"))
    .toBe(true);
  givenFrom = 1;
  await untilRead(250);
  expect(await storedUris()).toEqual(upTo(250));
});

test("a database that fails while URIs are stored is tried again, even if it had stored them", async () => {
  let calls = 0;
  const applyUris: Store["applyUris"] = async (reads) => {
    const applied = await store.applyUris(reads);
    if (++calls < 3) throw new VipError("the database is away", { code: "DATABASE_UNREACHABLE" });
    return applied;
  };
  await follow({ ...store, applyUris }).untilRead(250);
  expect(await storedUris()).toEqual(upTo(250));
  expect(await store.readStatus()).toMatchObject({ pendingUris: 0 });
});

test("another error while URIs are stored ends the follower", async () => {
  const fault = new Error("disk full");
  await expect(follow({ ...store, applyUris: () => Promise.reject(fault) }).ended).rejects.toBe(fault);
});

test("what a URI lacks is reported with its block, and counted", async () => {
  chain.uriOf = (height) => (height === 7 ? "ipfs://\0" : `ipfs://${height}`);
  const { events, untilRead } = follow();
  await untilRead(250);
  expect(events.filter(({ type }) => type === "leftOut")).toMatchObject([{ height: 7 }]);
  expect((await storedUris())[6]).toBe("ipfs://\uFFFD");
  expect(await store.readStatus()).toMatchObject({ leftOut: 1, pendingUris: 0 });
});

test("tokens that a contract counts and the index lacks are left out, until they agree", async () => {
  let counted = 5;
  chain = new PlayedChain(3);
  chain.countTokens = async () => counted;
  const following = follow();
  await following.untilIndexed(3);
  await until("a difference of two", async () => (await store.readStatus())?.leftOut === 2);
  expect(following.events).toContainEqual(expect.objectContaining({ type: "leftOut", height: 3 }));
  counted = 4;
  chain.head = 4;
  await until("no difference", async () => (await store.readStatus())?.leftOut === 0);
});
