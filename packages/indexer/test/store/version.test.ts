import { describe, expect, it } from "vitest";
import { address, apply, block, collection, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const cats = address("c1");

describe.each(databases)("%s", (_name, create) => {
  it("has another version after each write that changes a listing, and only then", async () => {
    const store = await openNew(create);
    let last = await store.readVersion();
    const isNew = async (work: Promise<unknown>) => {
      await work;
      const version = await store.readVersion();
      const grew = version > last;
      last = version;
      return grew;
    };
    expect(await isNew(store.beginChain("test-1", 0))).toBe(false);
    expect(await isNew(apply(store, block(1, collection(cats, "", address("cc")))))).toBe(true);
    expect(await isNew(apply(store, block(2)))).toBe(false);
    expect(await isNew(apply(store, block(3, mint(cats, "1", address("aa"), { uri: undefined }))))).toBe(true);
    expect(await isNew(store.noteHead(9, 1))).toBe(false);
    const [pending] = await store.readPendingUris(1);
    const read = { collectionAddr: cats, tokenId: "1", height: pending?.height ?? 0, uri: "ipfs://1" };
    expect(await isNew(store.applyUris([read]))).toBe(true);
    // It is not to be read anymore.
    expect(await isNew(store.applyUris([read]))).toBe(false);
    const counted = await store.readUncompared();
    if (counted === undefined) throw new Error("nothing is to be compared");
    const compare = (name: string | undefined) =>
      isNew(store.noteComparison(counted, { difference: 1, name, hasUris: false }));
    expect([await compare(undefined), await compare("Cats")]).toEqual([false, true]);
    expect((await store.readCollection(cats))?.name).toBe("Cats");
  });
});
