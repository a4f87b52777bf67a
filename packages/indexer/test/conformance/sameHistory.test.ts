import { describe, expect, test } from "vitest";
import { tokensByCollection } from "@vipscore/indexer-client";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { readData } from "./chainData.ts";
import { expectDocument } from "./live/expectDocument.ts";
import { expectLedger, expectTransactions } from "./live/expectLedger.ts";
import { nextPart } from "./live/generateHistory.ts";
import { Ledger } from "./live/ledger.ts";
import type { LiveChain, Signer, Step } from "./live/liveChain.ts";
import { liveChains } from "./live/liveChains.ts";
import { followLive, type LiveIndexer } from "./live/liveIndexer.ts";
import { requestsOf } from "./requests.ts";
import { runRequests, sendTo } from "./runRequests.ts";

const seed = fuzzSeed();
const partCount = fuzzRuns(40);
/** Transactions between two comparisons. */
const partsPerCheck = 10;
const collections = ["Cats", "Dogs", "Birds"];
/** A collection in which nothing is burned, so that every walk must find all of its tokens: more than a default page. */
const walked = "Walked";
const walkedIds = Array.from({ length: 110 }, (_, index) => String(index + 1));

describe.each(liveChains)("the same history, on $name", ({ name, start }) => {
  test("is served at some heights and at its end as a model has it, and walks during it miss nothing", async () => {
    await using chain = await start();
    const ledger = new Ledger();
    for (const each of [walked, ...collections]) {
      const { address, mark } = await chain.create(each);
      ledger.add(each, address, mark);
    }
    let height = 0;
    const play = async (signer: Signer, steps: readonly Step[]): Promise<void> => {
      const marks = await chain.play(signer, steps);
      ledger.apply(steps, marks);
      height = marks.at(-1)?.height ?? height;
    };
    const mint = { kind: "mint", to: "deployer", uri: "" } as const;
    await play("deployer", [
      ...walkedIds.map((tokenId) => ({ ...mint, collection: walked, tokenId })),
      // On EVM, a collection is listed with its first token.
      ...collections.map((collection) => ({ ...mint, collection, tokenId: "0" })),
    ]);
    await using indexer = await followLive(chain);
    await indexer.untilIndexed(height);

    const writing = new AbortController();
    const walks = walkWhile(indexer, ledger, writing.signal);
    const random = seededRandom(seed);
    const kinds = new Map<string, number>();
    let replaced = 0;
    try {
      for (let part = 1; part <= partCount; part += 1) {
        const { signer, steps } = nextPart(ledger, random, collections);
        const [moved] = ledger.heldBy(walked, signer);
        const other = signer === "deployer" ? "operator" : "deployer";
        const move = { kind: "move", collection: walked, tokenId: moved ?? "", from: signer, to: other } as const;
        const all = moved === undefined ? steps : [move, ...steps];
        if (all.length > 0) await play(signer, all);
        for (const { kind } of all) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        replaced += countReplaced(all);
        if (part % partsPerCheck > 0) continue;
        await indexer.untilIndexed(height);
        await expectLedger(indexer.client, ledger, chain);
      }
    } finally {
      writing.abort();
    }
    const counts = JSON.stringify(Object.fromEntries(kinds));
    console.log(`${name}: ${counts}, ${replaced} replaced, until block ${height}; ${await walks} walks`);
    expect([...kinds.keys()].sort()).toEqual(["burn", "handOver", "mint", "move"]);
    expect(replaced).toBeGreaterThan(0);
    await expectTransactions(indexer.client, ledger);
    await expectTimes(indexer, chain);
    await expectRules(indexer);
    const tokens = ledger.tokens(chain);
    const walkedTokens = tokens.filter((token) => token.name === walked);
    await expectDocument(indexer.url, `by_collection/${walkedTokens[0]?.collection}`, walkedTokens);
    const owner = chain.addressOf("deployer");
    await expectDocument(
      indexer.url,
      `by_account/${owner}`,
      tokens.filter((token) => token.owner === owner),
    );
  });
});

/** The number of tokens that one transaction burns and mints again. */
function countReplaced(steps: readonly Step[]): number {
  const idOf = (step: Step) => "tokenId" in step && `${step.collection}/${step.tokenId}`;
  const burned = new Set(steps.filter(({ kind }) => kind === "burn").map(idOf));
  return steps.filter((step) => step.kind === "mint" && burned.has(idOf(step))).length;
}

/** Walks a collection until aborted; every walk must find each of its tokens once. Returns the number of walks. */
async function walkWhile(indexer: LiveIndexer, ledger: Ledger, signal: AbortSignal): Promise<number> {
  const [address = ""] = ledger.collections().find(([, name]) => name === walked) ?? [];
  for (let walks = 1; ; walks += 1) {
    const found: string[] = [];
    for await (const page of tokensByCollection(indexer.client, address).pages({ limit: 7 })) {
      found.push(...page.items.map(({ nft }) => nft.token_id));
    }
    expect(found.sort()).toEqual(walkedIds.toSorted());
    if (signal.aborted) return walks;
  }
}

/** Expects each row to have the time of its block. */
async function expectTimes(indexer: LiveIndexer, chain: LiveChain): Promise<void> {
  const data = await readData(indexer.client);
  const times = new Map([...data.tokens, ...data.collections].map(({ height, timestamp }) => [height, timestamp]));
  for (const [height, timestamp] of times) {
    // The API cuts a time to microseconds, and a date to milliseconds.
    expect([height, new Date(timestamp)]).toEqual([height, new Date(await chain.timeOf(height))]);
  }
}

async function expectRules(indexer: LiveIndexer): Promise<void> {
  const data = await readData(indexer.client);
  const { differences } = await runRequests(sendTo(indexer.url), data, requestsOf(data, seededRandom(seed), 50));
  expect(differences.map(({ request, expected }) => ({ ...request, expected }))).toEqual([]);
}
