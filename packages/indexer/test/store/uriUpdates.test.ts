import { describe, expect, it } from "vitest";
import type { NftChange } from "../../src/chain/nftChain.ts";
import type { Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const cats = address("c1");
const alice = address("a1");
const update = (firstId: bigint, lastId: bigint): NftChange => {
  return { kind: "urisChanged", collectionAddr: cats, firstId, lastId };
};
const mints = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => mint(cats, String(first + index), alice, { uri: "old" }));

/** What is to be read, as `token@height`, in the order of the tokens. */
async function pendingOf(store: Store): Promise<readonly string[]> {
  const pending = [...(await store.readPendingUris(10_000))].sort((a, b) => Number(a.tokenId) - Number(b.tokenId));
  return pending.map(({ tokenId, height }) => `${tokenId}@${height}`);
}

async function takeAll(store: Store): Promise<void> {
  while (await store.takeUriUpdate());
}

const upTo = (count: number, height: number) => Array.from({ length: count }, (_, index) => `${index + 1}@${height}`);

describe.each(databases)("%s", (_name, create) => {
  it("reads the tokens of a range again, compared as numbers, as of the event or their later mint", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats), ...mints(1, 12)));
    await apply(store, block(2, update(9n, 2n ** 256n - 1n)), block(3, ...mints(13, 13)));
    expect(await store.readStatus()).toMatchObject({ pendingUris: 13 });
    await takeAll(store);
    expect(await pendingOf(store)).toEqual(["9@2", "10@2", "11@2", "12@2", "13@3"]);
    expect(await store.readStatus()).toMatchObject({ pendingUris: 5 });
  });

  it("begins again after an event in the middle of a range, with all that both ask for", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats), ...mints(1, 600)));
    await apply(store, block(2, update(1n, 400n)));
    expect(await store.takeUriUpdate()).toBe(true);
    await apply(store, block(3, update(300n, 600n)));
    await takeAll(store);
    expect(await pendingOf(store)).toEqual(upTo(600, 3));
    expect(await store.readStatus()).toMatchObject({ pendingUris: 600 });
  });

  it("keeps what is to be read as of a later block", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats), ...mints(1, 2)), block(2, update(1n, 2n)));
    const changed = { kind: "uriChanged", token: { collectionAddr: cats, tokenId: "1" }, uri: undefined } as const;
    await apply(store, block(3, { ...changed, txHash: "0x1" }));
    await takeAll(store);
    expect(await pendingOf(store)).toEqual(["1@3", "2@2"]);
  });
});
