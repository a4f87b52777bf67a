import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { createApi, openStore, serveApi } from "@vipscore/indexer";
import { openIndexer, tokensByAccount, type NftToken } from "@vipscore/indexer-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatComparison } from "../src/formatComparison.ts";
import { readData } from "../src/readData.ts";
import { generateRequests } from "../src/requests/generateRequests.ts";
import { generateWalks } from "../src/requests/generateWalks.ts";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { runRequests, type Comparison, type Send } from "../src/runRequests.ts";
import { sendTo } from "../src/sendTo.ts";
import { createSqlite, databases, type TestDatabase } from "./databases.ts";
import { generateChain, loadChain } from "./generatedChain.ts";
import { plantedFaults } from "./plantedFaults.ts";

const seed = fuzzSeed();
const chain = generateChain(seed);
const requestCount = 600;

interface RunningServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The server of this repository with the generated chain in a database. */
async function startServer(create: () => Promise<TestDatabase>): Promise<RunningServer> {
  const database = await create();
  const store = await openStore(database.url);
  await loadChain(store, chain);
  const { url, close } = await serveApi({ api: createApi({ store, version: "test" }), host: "127.0.0.1", port: 0 });
  const stop = async () => {
    await close();
    await store.close();
    await database.remove();
  };
  return { url, stop };
}

function compareWithRules(send: Send): Promise<Comparison> {
  const random = seededRandom(seed);
  const requests = generateRequests(chain.data, random, requestCount);
  return runRequests(send, chain.data, { requests, walks: generateWalks(chain.data, random) });
}

describe.each(databases)("the server of this repository on $name", ({ create }) => {
  let running: RunningServer;

  beforeAll(async () => {
    running = await startServer(create);
  });

  afterAll(() => running.stop());

  test("answers as the rules say", async () => {
    const comparison = await compareWithRules(sendTo(running.url));
    console.log(formatComparison(comparison));
    expect(comparison.differences.map(({ request, expected }) => ({ ...request, expected }))).toEqual([]);
    const counts = [...comparison.groups.values()].map(({ agreed }) => agreed);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(requestCount);
  });

  test("what is learned of it by walking is what the chain has", async () => {
    const learned = await readData(openIndexer(running.url));
    expect(byPlace(learned.collections)).toEqual(byPlace(chain.data.collections));
    expect(byPlace(learned.tokens)).toEqual(byPlace(chain.data.tokens));
  });

  // Such keys are this server's own: without the collection, tokens that tie are passed over together.
  test.each(["token_id", "height"])(
    "keys that name the collection lead over ties, in the order of %s",
    async (order) => {
      const before = {
        height: Number.MAX_SAFE_INTEGER,
        token_id: "\u{10FFFF}",
        collection_addr: `0x${"ff".repeat(32)}`,
      };
      for (const owner of new Set(chain.data.tokens.map((token) => token.owner))) {
        const owned = chain.data.tokens.filter((token) => token.owner === owner);
        const listing = tokensByAccount(openIndexer(running.url), owner, { orderBy: order as "height" | "token_id" });
        const found: NftToken[] = [];
        let key: string | null = Buffer.from(JSON.stringify(before)).toString("base64");
        while (key !== null && found.length <= owned.length) {
          const page = await listing.page({ limit: 1 + Math.floor(owned.length / 7), key });
          found.push(...page.items);
          key = page.nextKey;
        }
        expect(byPlace(found)).toEqual(byPlace(owned));
      }
    },
  );
});

describe("a server is found out when", () => {
  let running: RunningServer;
  let unaltered: readonly string[];

  beforeAll(async () => {
    running = await startServer(createSqlite);
    unaltered = differing(await compareWithRules(sendTo(running.url)));
  });

  afterAll(() => running.stop());

  test.each(plantedFaults)("$what", async ({ plant }) => {
    const found = differing(await compareWithRules(plant(sendTo(running.url))));
    // What is wrong without the fault is no sign of it.
    expect(found.filter((request) => !unaltered.includes(request))).not.toEqual([]);
  });
});

function byPlace(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** The requests whose answers differ from the rules. */
function differing({ differences }: Comparison): readonly string[] {
  return differences.map(({ request }) => `${request.path}?${request.query}`);
}
