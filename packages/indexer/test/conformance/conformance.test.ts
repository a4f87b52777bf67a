import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openIndexer, tokensByAccount, type NftToken } from "@vipscore/indexer-client";
import { readData } from "./chainData.ts";
import { chain, compareWithRules, mixedCount, startServer, type RunningServer } from "./comparedServer.ts";
import { databases } from "./databases.ts";
import { sendTo } from "./runRequests.ts";

describe.each(databases)("the server of this repository on $name", ({ create }) => {
  let running: RunningServer;

  beforeAll(async () => {
    running = await startServer(create);
  });

  afterAll(() => running.stop());

  test("follows the rules", async () => {
    const comparison = await compareWithRules(sendTo(running.url));
    expect(comparison.differences.map(({ request, expected }) => ({ ...request, expected }))).toEqual([]);
    expect(comparison.compared).toBeGreaterThan(mixedCount);
  });

  test("walking it returns the chain's data", async () => {
    const learned = await readData(openIndexer(running.url));
    expect(byPlace(learned.collections)).toEqual(byPlace(chain.data.collections));
    expect(byPlace(learned.tokens)).toEqual(byPlace(chain.data.tokens));
  });

  // Such keys are specific to this server: without the collection, tokens that tie are skipped together.
  test.each(["token_id", "height"])(
    "keys that name the collection work across ties, in the order of %s",
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

function byPlace(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
