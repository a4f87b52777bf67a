import { expect, test } from "vitest";
import { getStatus, tokensByAccount } from "@vipscore/indexer-client";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { createSqlite } from "../test/conformance/databases.ts";
import { liveChains } from "../test/conformance/live/liveChains.ts";
import { followLive } from "../test/conformance/live/liveIndexer.ts";

const tokenCount = 50_000;
/** Mints that fit into one transaction on every chain. */
const mintsPerTransaction = 500;
const offsetCount = 20;

const seed = fuzzSeed();

test.each(liveChains)(
  "on $name, an account with 50,000 tokens is listed whole, and after any offset",
  async ({ start }) => {
    const random = seededRandom(seed);
    const database = await createSqlite();
    try {
      await using chain = await start();
      await using indexer = await followLive(chain, database.url);
      await chain.create("Large");
      const ids = Array.from({ length: tokenCount }, (_, index) => String(index + 1));
      const mint = { kind: "mint", collection: "Large", to: "friend", uri: "" } as const;
      let height = 0;
      for (let at = 0; at < tokenCount; at += mintsPerTransaction) {
        const steps = ids.slice(at, at + mintsPerTransaction).map((tokenId) => ({ ...mint, tokenId }));
        height = (await chain.play("deployer", steps)).at(-1)?.height ?? height;
      }
      await indexer.untilIndexed(height);

      const listing = tokensByAccount(indexer.client, chain.addressOf("friend"), { reverse: false });
      const listed: string[] = [];
      for await (const { nft } of listing) listed.push(nft.token_id);
      // Token IDs sort as text.
      expect(listed).toEqual(ids.toSorted());
      for (let turn = 0; turn < offsetCount; turn += 1) {
        const offset = random.below(tokenCount);
        const key = Buffer.from(String(offset)).toString("base64");
        const { items, total } = await listing.page({ limit: 100, key, countTotal: true });
        expect(total).toBe(tokenCount);
        expect(items.map(({ nft }) => nft.token_id)).toEqual(listed.slice(offset, offset + 100));
      }
      expect(await getStatus(indexer.client)).toMatchObject({ left_out: 0 });
    } finally {
      await database.remove();
    }
  },
);
