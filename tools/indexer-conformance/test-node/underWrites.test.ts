import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { getStatus, openIndexer, tokensByAccount, tokensByCollection, type Indexer } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { startAnvil } from "@vipscore/localnet";
import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { expect, test } from "vitest";
import { seededRandom, type SeededRandom } from "@vipscore/testkit/seededRandom";
import { databases } from "./databases.ts";
import { DemoCollection } from "./demoCollection.ts";
import { startIndexerProcess } from "./startIndexerProcess.ts";

const tokenCount = 5_000;
const readerCount = 50;
const transferCount = 1_000;
const transfersPerSecond = 100;

/** How long the indexer may take to get to a height, in milliseconds. */
const catchUpBoundMs = 60_000;

const seed = fuzzSeed();

test.each(databases)(
  "on $name 50 readers find each token once in every walk while 100 transfers a second are indexed",
  async ({ name, create }) => {
    const random = seededRandom(seed);
    await using node = await startAnvil({ blockTimeMs: 500 });
    const collection = await DemoCollection.deploy(node.rpcUrl);
    await collection.mint(Array.from({ length: tokenCount }, () => someOwner(random)));
    const signed = await collection.signTransfers(
      Array.from({ length: transferCount }, () => ({
        tokenId: BigInt(1 + random.below(tokenCount)),
        to: someOwner(random),
      })),
    );
    const database = await create();
    const server = await startIndexerProcess(node.rpcUrl, database.url);
    try {
      const pageMs: number[] = [];
      const indexer = openIndexer(server.url);
      const timedIndexer = openIndexer(server.url, { fetch: timed(pageMs) });
      await reachHeight(indexer, await collection.waitFor(await collection.send(signed.slice(0, 1))));

      const writing = new AbortController();
      const readers = Array.from({ length: readerCount }, () =>
        readWhile(timedIndexer, collection.address, writing.signal),
      );
      const writer = sendSteadily(collection, signed.slice(1)).finally(() => writing.abort());
      const [written, ...walks] = await Promise.all([writer, ...readers]);

      const { height: reached } = await getStatus(indexer);
      await reachHeight(indexer, written.height);
      expect(await collection.countTransfers()).toBe(tokenCount + transferCount);
      const listed = await readListing(indexer, collection.address);
      const owners = await collection.readOwners(tokenCount);
      expect(listed).toEqual(owners);
      await expectTotals(indexer, owners);

      pageMs.sort((a, b) => a - b);
      const p95 = pageMs[Math.floor(pageMs.length * 0.95)] ?? 0;
      const total = walks.reduce((sum, count) => sum + count, 0);
      console.log(
        `${name}: ${written.perSecond.toFixed(0)} transfers a second; ${total} walks of ${readerCount} readers, ` +
          `${pageMs.length} pages of ${pageLimit}, p95 ${p95.toFixed(0)} ms; at height ${reached} of ${written.height} when they ended`,
      );
      expect(Math.min(...walks)).toBeGreaterThan(0);
      // A machine that is too slow to send proves nothing of the readers.
      expect(written.perSecond).toBeGreaterThan(transfersPerSecond / 2);
    } finally {
      await server.stop();
      await database.remove();
    }
  },
  300_000,
);

/** Few enough for walks of many pages. */
const pageLimit = 250;

/** Walks again and again until told to end; every walk has to give every token once. Gives the number of walks. */
async function readWhile(indexer: Indexer, addr: string, signal: AbortSignal): Promise<number> {
  const all = new Set(Array.from({ length: tokenCount }, (_, index) => String(index + 1)));
  let walks = 0;
  do {
    const missing = new Set(all);
    for await (const page of tokensByCollection(indexer, addr).pages({ limit: pageLimit })) {
      for (const { nft } of page.items) {
        if (!missing.delete(nft.token_id)) throw new Error(`token ${nft.token_id} came twice, or is none`);
      }
    }
    if (missing.size > 0) throw new Error(`${missing.size} tokens were missing, ${[...missing][0]} among them`);
    walks += 1;
  } while (!signal.aborted);
  return walks;
}

/** Sends as many transactions as are due by the clock; gives the height of the last and how many came into blocks a second. */
async function sendSteadily(
  collection: DemoCollection,
  signed: readonly `0x${string}`[],
): Promise<{ readonly height: number; readonly perSecond: number }> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  let sent = 0;
  let last: `0x${string}` | undefined;
  while (sent < signed.length) {
    const due = Math.min(signed.length, Math.floor(seconds() * transfersPerSecond));
    if (due > sent) {
      last = await collection.send(signed.slice(sent, due));
      sent = due;
    } else await delay(1_000 / transfersPerSecond);
  }
  const height = await collection.waitFor(last ?? "0x");
  return { height, perSecond: signed.length / seconds() };
}

async function reachHeight(indexer: Indexer, height: number): Promise<void> {
  const end = performance.now() + catchUpBoundMs;
  for (;;) {
    const status = await getStatus(indexer).catch(() => ({ height: -1 }));
    if (status.height >= height) return;
    if (performance.now() > end) throw new Error(`the indexer is at height ${status.height}, not yet at ${height}`);
    await delay(50);
  }
}

/** The owner of each token, as the indexer lists them. */
async function readListing(indexer: Indexer, addr: string): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for await (const { nft, owner } of tokensByCollection(indexer, addr)) owners.set(nft.token_id, decodeAddress(owner));
  return owners;
}

/** The counts that listings of accounts tell are those of the chain. */
async function expectTotals(indexer: Indexer, owners: ReadonlyMap<string, string>): Promise<void> {
  const counts = new Map<string, number>();
  for (const owner of owners.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  for (const [owner, count] of counts) {
    const { total } = await tokensByAccount(indexer, owner).page({ limit: 1, countTotal: true });
    expect({ owner, total }).toEqual({ owner, total: count });
  }
}

/** One of 20 owners. */
function someOwner(random: SeededRandom): Address {
  return `0x${(random.below(20) + 1).toString(16).padStart(2, "0").repeat(20)}`;
}

/** `fetch` that notes how long each answer took, body included, in milliseconds. */
function timed(pageMs: number[]): typeof fetch {
  return async (input, init) => {
    const started = performance.now();
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    pageMs.push(performance.now() - started);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
