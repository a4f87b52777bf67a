import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collections, getStatus, tokensByCollection, type NftCollection } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { readData } from "./chainData.ts";
import type { LiveChain } from "./live/liveChain.ts";
import { followLive, type LiveIndexer } from "./live/liveIndexer.ts";
import { oddChains, type MadeCase } from "./live/oddCollections.ts";
import { generateRequests } from "./requests/generateRequests.ts";
import { runRequests, sendTo } from "./runRequests.ts";

const seed = fuzzSeed();

describe.each(oddChains)("contracts that stop other indexers, on $name", ({ name, cases, start }) => {
  let chain: LiveChain;
  let made: readonly MadeCase[];
  let indexer: LiveIndexer;
  const running: AsyncDisposable[] = [];
  beforeAll(async () => {
    ({ chain, made } = await start());
    running.unshift(chain);
    await chain.create("Plain");
    const mint = { kind: "mint", collection: "Plain", tokenId: "1", to: "friend", uri: "ipfs://1" } as const;
    const [mark] = await chain.play("deployer", [mint]);
    indexer = await followLive(chain);
    running.unshift(indexer);
    await indexer.untilIndexed(mark?.height ?? 0);
  });
  afterAll(async () => {
    for (const each of running) await each[Symbol.asyncDispose]();
  });

  async function listed(): Promise<ReadonlyMap<string, NftCollection>> {
    const rows = new Map<string, NftCollection>();
    for await (const row of collections(indexer.client)) rows.set(row.object_addr, row);
    return rows;
  }

  test.each(cases)("%s", async (what) => {
    const one = made.find((each) => each.what === what);
    if (one === undefined) throw new Error(`nothing was made for ${what}`);
    const { address, mark, shown } = one;
    const collection = (await listed()).get(address);
    const page = await tokensByCollection(indexer.client, address).page({ countTotal: true });
    if (shown === undefined) {
      expect([collection, page.total]).toEqual([undefined, 0]);
      return;
    }
    expect(collection?.collection).toMatchObject({ name: shown.name, nfts: { length: 1 } });
    expect(page.items).toMatchObject([
      { collection_name: shown.name, nft: { token_id: "7", uri: shown.uri }, height: mark.height },
    ]);
    expect(page.items.map(({ owner }) => decodeAddress(owner))).toEqual([chain.addressOf("deployer")]);
  });

  test("the collection after them is listed, and what was lost is counted", async () => {
    const names = [...(await listed()).values()].map(({ collection }) => collection.name);
    expect(names).toContain("Plain");
    const lost = made.reduce((sum, each) => sum + each.lost, 0);
    expect(await getStatus(indexer.client)).toMatchObject({ left_out: lost });
  });

  test("every answer follows the rules", async () => {
    const data = await readData(indexer.client);
    const requests = generateRequests(data, seededRandom(seed), 300);
    const { differences } = await runRequests(sendTo(indexer.url), data, { requests, walks: [] });
    expect(differences.map(({ request, expected }) => ({ ...request, expected }))).toEqual([]);
    console.log(`${name}: ${requests.length} requests`);
  });
});
