import { describe, expect, test } from "vitest";
import { openIndexer } from "@vipscore/indexer-client";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { databases } from "../test/conformance/databases.ts";
import { expectLedger } from "../test/conformance/live/expectLedger.ts";
import { Ledger } from "../test/conformance/live/ledger.ts";
import type { Step } from "../test/conformance/live/liveChain.ts";
import { liveChains } from "../test/conformance/live/liveChains.ts";
import { followLive } from "../test/conformance/live/liveIndexer.ts";
import { sumOf, walkWhile } from "./walkWhile.ts";

const tokenCount = 1_000;
const readerCount = 50;
const movesPerTransaction = 10;
const transactionCount = 40;
const collection = "Walked";

const seed = fuzzSeed();
const ids = Array.from({ length: tokenCount }, (_, index) => String(index + 1));

// On EVM, underWrites.test.ts does this with more transfers.
describe.each(liveChains.filter(({ name }) => name !== "EVM"))("on $name", ({ name: chainName, start }) => {
  test.each(databases)("$name: 50 readers find each token once per walk while 400 move", async ({ name, create }) => {
    const random = seededRandom(seed);
    const database = await create();
    try {
      await using chain = await start();
      const ledger = new Ledger();
      const { address, mark } = await chain.create(collection);
      ledger.add(collection, address, mark);
      const play = async (steps: readonly Step[]): Promise<number> => {
        const marks = await chain.play("deployer", steps);
        ledger.apply(steps, marks);
        return marks.at(-1)?.height ?? 0;
      };
      await using indexer = await followLive(chain, database.url);
      const mint = { kind: "mint", collection, to: "deployer", uri: "" } as const;
      for (let at = 0; at < tokenCount; at += tokenCount / 2) {
        const steps = ids.slice(at, at + tokenCount / 2).map((tokenId) => ({ ...mint, tokenId }));
        await indexer.untilIndexed(await play(steps));
      }

      const writing = new AbortController();
      const write = async (): Promise<void> => {
        for (let sent = 0; sent < transactionCount; sent += 1) {
          const held = [...ledger.heldBy(collection, "deployer")];
          const tokens = Array.from({ length: movesPerTransaction }, () =>
            held.splice(random.below(held.length), 1).join(""),
          );
          const from = "deployer";
          const to = () => random.pick(["operator", "friend", "stranger", "contract"] as const);
          const steps = tokens.map((tokenId) => ({ kind: "move", collection, tokenId, from, to: to() }) as const);
          await indexer.untilIndexed(await play(steps));
        }
      };
      const client = openIndexer(indexer.url, { attemptTimeoutMs: hangBoundMs, timeoutMs: hangBoundMs });
      const readers = Array.from({ length: readerCount }, () =>
        walkWhile(client, { collection: address, ids, limit: 50 }, writing.signal),
      );
      const [, ...walks] = await Promise.all([write().finally(() => writing.abort()), ...readers]);
      const [all, underWrites] = [sumOf(walks, "all"), sumOf(walks, "underWrites")];
      console.log(`${chainName}, ${name}: ${all} walks, blocks indexed during ${underWrites} of them`);
      expect(Math.min(...walks.map((each) => each.underWrites))).toBeGreaterThan(0);
      await expectLedger(indexer.client, ledger, chain);
    } finally {
      await database.remove();
    }
  });
});
