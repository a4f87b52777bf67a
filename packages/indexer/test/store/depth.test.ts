import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/openStore.ts";
import type { TokensRequest } from "../../src/store/store.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases } from "./databases.ts";

const cats = address("c1");
const dogs = address("c2");
const whale = address("aa");
const tokenCount = 100_000;
const perBlock = 2500;

/** Far above what a page takes on a busy machine, far below what a listing takes that is read from its start. */
const boundMs = 100;

describe.each(databases)(`%s with ${tokenCount} tokens of one owner`, (_name, create) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await create());
    await apply(store, block(1, collection(cats), collection(dogs)));
    for (let start = 0; start < tokenCount; start += perBlock) {
      const changes = Array.from({ length: perBlock }, (_, index) => {
        const number = start + index;
        return mint(number % 2 ? cats : dogs, String(number), whale, { txHash: hash(number) });
      });
      await apply(store, block(2 + start / perBlock, ...changes));
    }
  });
  afterAll(() => store.close());

  it.each([
    { filter: { owner: whale }, orderBy: "token_id" },
    { filter: { owner: whale }, orderBy: "height" },
    { filter: { owner: whale, collectionAddr: cats }, orderBy: "token_id" },
    { filter: { collectionAddr: cats }, orderBy: "height" },
  ] as const)("reads 100 of $filter by $orderBy at any depth", async (listing) => {
    const times: number[] = [];
    for (let number = 1; number < tokenCount; number += tokenCount / 100) {
      const after = { height: 2 + Math.floor(number / perBlock), tokenId: String(number), collectionAddr: cats };
      const request: TokensRequest = { ...listing, place: { after }, limit: 100, reverse: number % 3 === 0 };
      const begin = performance.now();
      const rows = await store.readTokens(request);
      times.push(performance.now() - begin);
      expect(rows.length).toBeGreaterThan(0);
    }
    expect(times.sort((a, b) => a - b)[94]).toBeLessThan(boundMs);
  });
});
