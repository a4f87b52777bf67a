import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

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

describe.each(databases)("%s", (_name, create) => {
  it("counts while blocks are written", async () => {
    const store = await openNew(create);
    await fill(store);
    expect(await countsOf(store)).toEqual({ tokens: [2, 1, 1], collections: [2, 1, 2], transactions: [3, 1, 0] });
    // The next transaction of a token continues its numbers.
    await apply(store, block(5, { kind: "burned", token: { collectionAddr: cats, tokenId: "1" }, txHash: hash(5) }));
    expect(await countsOf(store)).toEqual({ tokens: [2, 0, 1], collections: [2, 0, 2], transactions: [4, 1, 0] });
  });
});
