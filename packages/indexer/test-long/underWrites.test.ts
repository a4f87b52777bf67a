import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { expect, test } from "vitest";
import { getStatus, openIndexer, tokensByAccount, tokensByCollection, type Indexer } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { seededRandom, type SeededRandom } from "@vipscore/testkit/seededRandom";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { until } from "@vipscore/testkit/until";
import { databases } from "../test/conformance/databases.ts";
import { DemoCollection } from "../test/conformance/demoCollection.ts";
import { startIndexerProcess } from "../test/conformance/startIndexerProcess.ts";
import { sumOf, walkWhile } from "./walkWhile.ts";

const tokenCount = 5_000;
const readerCount = 50;
/** Few enough for walks of many pages. */
const pageLimit = 250;
const transferCount = 1_000;
/** A machine that is too slow for this rate sends as fast as it can. */
const transfersPerSecond = 100;

const seed = fuzzSeed();

test.each(databases)(
  "on $name, 50 readers find each token once per walk while 1,000 transfers are indexed, 100 per second",
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
      const indexer = openIndexer(server.url, patient);
      const timedIndexer = openIndexer(server.url, { ...patient, fetch: timed(pageMs) });
      await reachHeight(indexer, await collection.waitFor(await collection.send(signed.slice(0, 1))));

      const writing = new AbortController();
      const ids = Array.from({ length: tokenCount }, (_, index) => String(index + 1));
      const readers = Array.from({ length: readerCount }, () =>
        walkWhile(timedIndexer, { collection: collection.address, ids, limit: pageLimit }, writing.signal),
      );
      const write = async () => {
        const sent = await sendSteadily(collection, signed.slice(1));
        await reachHeight(indexer, sent.height);
        return sent;
      };
      const writer = write().finally(() => writing.abort());
      const [written, ...walks] = await Promise.all([writer, ...readers]);

      expect(await collection.countTransfers()).toBe(tokenCount + transferCount);
      const listed = await readListing(indexer, collection.address);
      const owners = await collection.readOwners(tokenCount);
      expect(listed).toEqual(owners);
      await expectTotals(indexer, owners);

      pageMs.sort((a, b) => a - b);
      const p95 = pageMs[Math.floor(pageMs.length * 0.95)] ?? 0;
      const [total, moved] = [sumOf(walks, "all"), sumOf(walks, "underWrites")];
      console.log(
        `${name}: ${written.perSecond.toFixed(0)} transfers per second; ${total} walks of ${readerCount} readers, ` +
          `blocks indexed during ${moved} of them, ${pageMs.length} pages of ${pageLimit}, p95 ${p95.toFixed(0)} ms`,
      );
      // A walk without writes proves nothing.
      expect(Math.min(...walks.map(({ underWrites }) => underWrites))).toBeGreaterThan(0);
    } finally {
      await server.stop();
      await database.remove();
    }
  },
);

/** Time to wait for a busy server. */
const patient = { attemptTimeoutMs: hangBoundMs, timeoutMs: hangBoundMs } as const;

/** Sends as many transactions as are due by the clock; returns the height of the last and the rate of inclusion per second. */
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
  await until(`block ${height} in the index`, async () => (await getStatus(indexer)).height >= height);
}

/** The owner of each token, as the indexer lists them. */
async function readListing(indexer: Indexer, addr: string): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for await (const { nft, owner } of tokensByCollection(indexer, addr)) owners.set(nft.token_id, decodeAddress(owner));
  return owners;
}

/** Expects the counts in listings of accounts to match the chain's. */
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

/** `fetch` that records how long each answer took, body included, in milliseconds. */
function timed(pageMs: number[]): typeof fetch {
  return async (input, init) => {
    const started = performance.now();
    const response = await fetch(input, init);
    const body = await response.arrayBuffer();
    pageMs.push(performance.now() - started);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
