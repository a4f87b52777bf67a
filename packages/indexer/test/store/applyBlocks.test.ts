import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const cats = address("c1");
const dogs = address("c2");
const alice = address("a1");
const bob = address("b1");
const page = { place: { offset: 0n }, limit: 1000, reverse: false } as const;

describe.each(databases)("%s", (_name, create) => {
  it("has no chain until one is set, and remembers its progress", async () => {
    const store = await openNew(create);
    expect(await store.readChain()).toBeUndefined();
    await store.beginChain("rly-1", 41);
    expect(await store.readStatus()).toEqual({
      chainId: "rly-1",
      height: 41,
      blockHash: "",
      leftOut: 0,
      pendingUris: 0,
      seen: undefined,
    });
    await expect(store.beginChain("rly-2", 0)).rejects.toThrow();
    await store.applyBlocks([], { height: 50, blockHash: "ff" });
    expect(await store.readChain()).toMatchObject({ chainId: "rly-1", height: 50, blockHash: "ff" });
  });

  it("adds a token that was minted before the first block, and ignores an object that is not a token", async () => {
    const store = await openNew(create);
    const token = { collectionAddr: cats, tokenId: "old" };
    const unknown = { objectAddr: address("0b") };
    await apply(
      store,
      block(
        1,
        collection(cats),
        { kind: "transferred", token, owner: alice, txHash: hash(1) },
        { kind: "transferred", token: unknown, owner: alice, txHash: hash(1) },
        { kind: "burned", token: { collectionAddr: cats, tokenId: "never" }, txHash: hash(1) },
        { kind: "uriChanged", token: { collectionAddr: cats, tokenId: "never" }, uri: "x", txHash: hash(1) },
      ),
    );
    expect(await tokensOf(store)).toEqual([["old", alice, "", 1]]);
  });

  it("finds a Move token by its object, from this block or an earlier one", async () => {
    const store = await openNew(create);
    const object = `0x${"0b".repeat(32)}` as const;
    const other = `0x${"0c".repeat(32)}` as const;
    const announced = [collection(cats), mint(cats, "a", alice, { objectAddr: object })];
    await apply(
      store,
      block(1, ...announced, { kind: "transferred", token: { objectAddr: object }, owner: bob, txHash: hash(1) }),
    );
    expect(await tokensOf(store)).toEqual([["a", bob, "ipfs://a", 1]]);
    await apply(store, block(2, { kind: "transferred", token: { objectAddr: object }, owner: alice, txHash: hash(2) }));
    expect(await tokensOf(store)).toEqual([["a", alice, "ipfs://a", 2]]);
    const [row] = await store.readTokens({ ...page, filter: { owner: alice }, orderBy: "height" });
    expect(row).toMatchObject({ objectAddr: object, collectionName: "Some" });

    // Burned and minted again under the same id: a new object, and the first no longer refers to a token.
    await apply(store, block(3, { kind: "burned", token: { objectAddr: object }, txHash: hash(3) }));
    await apply(
      store,
      block(4, mint(cats, "a", alice, { objectAddr: other }), {
        kind: "transferred",
        token: { objectAddr: object },
        owner: bob,
        txHash: hash(4),
      }),
    );
    expect(await tokensOf(store)).toEqual([["a", alice, "ipfs://a", 4]]);
  });

  it("applies all blocks or none", async () => {
    const store = await openNew(create);
    await apply(store, block(5, collection(cats), mint(cats, "1", alice)));
    await expect(apply(store, block(5, mint(cats, "2", alice)))).rejects.toThrow(/\bblock 5\b.*\b5\b/);
    await expect(apply(store, block(7, mint(cats, "3", alice)), block(6, mint(cats, "4", alice)))).rejects.toThrow();
    await expect(store.applyBlocks([block(9)], { height: 8, blockHash: "" })).rejects.toThrow(/\b8\b.*\bblock 9\b/);
    // The database itself refuses an invalid height.
    await expect(
      store.applyBlocks([block(6, mint(cats, "5", alice))], { height: 6, blockHash: null as unknown as string }),
    ).rejects.toThrow();
    expect(await tokensOf(store)).toEqual([["1", alice, "ipfs://1", 5]]);
    expect(await counts(store)).toEqual({ cats: 1, alice: 1, bob: 0 });
    expect(await store.readChain()).toMatchObject({ height: 5 });
  });

  it("adds a collection once, and adds a placeholder for one that was not announced", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats, "Cats"), collection(cats, "Other"), mint(cats, "1", alice)));
    await apply(store, block(2, collection(cats, "Third")));
    expect(await store.readCollection(cats)).toMatchObject({ name: "Cats", tokenCount: 1, height: 1 });
    expect(await apply(store, block(3, mint(dogs, "1", alice)))).toHaveLength(1);
    expect(await store.readCollection(dogs)).toMatchObject({ name: "", tokenCount: 1, height: 3 });
    expect([...(await store.readCollectionAddrs())].sort()).toEqual([cats, dogs]);
    expect(await store.readCollection(address("c3"))).toBeUndefined();
  });
});

async function tokensOf(store: Store) {
  const rows = await store.readTokens({ ...page, filter: { collectionAddr: cats }, orderBy: "token_id" });
  return rows.map(({ tokenId, owner, uri, height }) => [tokenId, owner, uri, height]);
}

async function counts(store: Store) {
  const [ofCats, ofAlice, ofBob] = await Promise.all(
    [{ collectionAddr: cats }, { owner: alice }, { owner: bob, collectionAddr: cats }].map(store.countTokens),
  );
  return { cats: ofCats, alice: ofAlice, bob: ofBob };
}
