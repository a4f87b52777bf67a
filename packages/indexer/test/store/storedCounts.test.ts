import { describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases } from "./databases.ts";
import { undoStoredCounts } from "./earlierVersion.ts";

const cats = address("c1");
const dogs = address("c2");
const [alice, bob] = [address("a1"), address("b0")];
const filters = [{ owner: alice }, { owner: bob }, {}] as const;

/** What the counts are for: an owner in two collections, a token that was burned and minted again. */
async function fill(store: Store): Promise<void> {
  const token = { collectionAddr: cats, tokenId: "1" };
  await apply(store, block(1, collection(cats), collection(dogs), mint(cats, "1", alice, { txHash: hash(1) })));
  await apply(store, block(2, mint(dogs, "1", alice, { txHash: hash(2) }), mint(cats, "2", alice)));
  await apply(store, block(3, { kind: "burned", token, txHash: hash(3) }));
  await apply(store, block(4, mint(cats, "1", bob, { txHash: hash(4) })));
}

async function countsOf(store: Store) {
  return {
    tokens: await Promise.all(
      [{ owner: alice }, { owner: bob }, { owner: alice, collectionAddr: cats }].map(store.countTokens),
    ),
    collections: await Promise.all(filters.map(store.countCollections)),
    transactions: await Promise.all(["1", "2", "9"].map((tokenId) => store.countTransactions(cats, tokenId))),
  };
}

const expected = { tokens: [2, 1, 1], collections: [2, 1, 2], transactions: [3, 1, 0] };

describe.each(databases.filter(([name]) => !name.includes("memory")))("%s", (_name, create) => {
  it("counts while blocks are written, and a database of an earlier version once", async () => {
    const database = await create();
    const store = await openStore(database);
    await fill(store);
    expect(await countsOf(store)).toEqual(expected);
    await store.close();
    await undoStoredCounts(database);
    const migrated = await openStore(database);
    expect(await countsOf(migrated)).toEqual(expected);
    // The next transaction of a token continues its numbers.
    await apply(migrated, block(5, { kind: "burned", token: { collectionAddr: cats, tokenId: "1" }, txHash: hash(5) }));
    expect(await countsOf(migrated)).toEqual({ tokens: [2, 0, 1], collections: [2, 0, 2], transactions: [4, 1, 0] });
    await migrated.close();
  });
});
