import { describe, expect, it } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import type { Store } from "../../src/store/openStore.ts";
import type { TokenPlace, TokenRow } from "../../src/store/store.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const cats = address("c1");
const owners = ["a1", "a2", "a3"].map((digits) => address(digits));
const tokenCount = 600;
const blockCount = 60;
const ids = Array.from({ length: tokenCount }, (_, number) => String(number));
const random = seededRandom(fuzzSeed());

describe.each(databases)("%s", (_name, create) => {
  it("lists every token of a collection exactly once while they move", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats), ...ids.map((id) => mint(cats, id, owners[0] ?? cats))));
    const writing = { isDone: false };
    let walks = 0;
    const readers = [true, false, true].map(async (reverse) => {
      do {
        const walked = await walk(store, reverse);
        expect(walked.map(({ tokenId }) => tokenId).sort()).toEqual([...ids].sort());
        walks += 1;
      } while (!writing.isDone);
    });
    const counter = (async () => {
      while (!writing.isDone) expect(await store.countTokens({ collectionAddr: cats })).toBe(tokenCount);
    })();
    const writer = moveTokens(store).finally(() => (writing.isDone = true));
    await Promise.all([writer, counter, ...readers]);
    expect(walks).toBeGreaterThanOrEqual(readers.length);
    const held = await Promise.all(owners.map((owner) => store.countTokens({ owner })));
    expect(held.reduce((sum, count) => sum + count)).toBe(tokenCount);
  });
});

/** Transfers 20 tokens in each of the next blocks. */
async function moveTokens(store: Store): Promise<void> {
  for (let height = 2; height <= blockCount; height += 1) {
    const changes = Array.from({ length: 20 }, (_, index) => ({
      kind: "transferred" as const,
      token: { collectionAddr: cats, tokenId: String(random.below(tokenCount)) },
      owner: random.pick(owners),
      txHash: hash(height * 100 + index),
    }));
    await apply(store, block(height, ...changes));
  }
}

async function walk(store: Store, reverse: boolean): Promise<readonly TokenRow[]> {
  const rows: TokenRow[] = [];
  const listing = { filter: { collectionAddr: cats }, orderBy: "token_id", reverse, limit: 50 } as const;
  let page = await store.readTokens({ ...listing, place: { offset: 0n } });
  while (page.length > 0) {
    rows.push(...page);
    page = await store.readTokens({ ...listing, place: { after: rows.at(-1) as TokenPlace } });
  }
  return rows;
}
