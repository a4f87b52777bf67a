import { describe, expect, it } from "vitest";
import { openIndexer, tokensByAccount, tokensByCollection } from "@vipscore/indexer-client";
import { createApi } from "../../src/api/createApi.ts";
import { address, apply, block, collection, hash, mint } from "../store/blocks.ts";
import { databases, openNew } from "../store/databases.ts";
import { base64, cats, dogs, fromBase64, idsOf, nft, openSample, read, type Answer } from "./sample.ts";

const aa = `${nft}/tokens/by_account/0xaa`;

describe.each(databases)("%s", (_name, create) => {
  it("returns the keys of the pages before and after an offset", async () => {
    const api = createApi({ store: await openSample(create) });
    const keys = async (query: string) => {
      const { tokens, pagination } = await read(api, `${aa}?${query}`);
      const { previous_key: previous, next_key: next } = pagination;
      return [tokens.length, previous && fromBase64(previous), next && fromBase64(next)];
    };
    expect(await keys("pagination.limit=3")).toEqual([3, null, "3"]);
    expect(await keys("pagination.limit=3&pagination.offset=2")).toEqual([3, "0", "5"]);
    expect(await keys("pagination.limit=3&pagination.offset=3")).toEqual([3, "0", "6"]);
    expect(await keys("pagination.limit=3&pagination.offset=6")).toEqual([2, "3", null]);
    expect(await keys("pagination.limit=4&pagination.offset=4")).toEqual([4, "0", null]);
    expect(await keys("pagination.limit=4&pagination.offset=8")).toEqual([0, "4", null]);
    expect(await keys(`pagination.limit=3&pagination.offset=1&pagination.key=${base64("6")}`)).toEqual([2, "3", null]);
    const far = 2n ** 63n - 1n;
    expect(await keys(`pagination.limit=3&pagination.key=${base64(String(far))}`)).toEqual([0, String(far - 3n), null]);
  });

  it("ends a page early, with the key of the rest, when its URIs are too long for one answer", async () => {
    const store = await openNew(create, { maxUriBytes: 40_000_000 });
    const uri = "u".repeat(17_000_000);
    const minted = ["1", "2", "3"].map((id) => mint(cats, id, address("aa"), { uri }));
    await apply(store, block(1, collection(cats, "Cats"), ...minted, mint(cats, "4", address("aa"), { uri: "short" })));
    const api = createApi({ store });
    const page = async (offset: number) => {
      const answer = await read(api, `${aa}?pagination.offset=${offset}&pagination.reverse=false`);
      const { next_key: next } = answer.pagination;
      expect(JSON.stringify(answer.tokens[0])).toContain(uri);
      return [idsOf(answer), next && fromBase64(next)];
    };
    expect(await page(0)).toEqual([["1", "2"], "2"]);
    expect(await page(2)).toEqual([["3", "4"], null]);
  });

  it("returns keys of rows with as many fields as were sent", async () => {
    const api = createApi({ store: await openSample(create) });
    const follow = async (path: string, first: Readonly<Record<string, unknown>>) => {
      const ids: string[] = [];
      let key: string | null = base64(JSON.stringify(first));
      let last: unknown;
      let requests = 0;
      while (key !== null) {
        const answer: Answer = await read(api, `${path}&pagination.limit=2&pagination.key=${encodeURIComponent(key)}`);
        expect(answer.pagination.previous_key).toBeNull();
        ids.push(...idsOf(answer));
        requests += 1;
        key = answer.pagination.next_key;
        if (key !== null) last = JSON.parse(fromBase64(key));
      }
      return { ids, last, requests };
    };
    const start = { height: 0, token_id: "" };
    const both = await follow(`${aa}?pagination.reverse=false`, { ...start, collection_addr: "0x00" });
    expect(both.ids).toEqual(["1", "1", "2", "2", "3", "3", "4", "5"]);
    expect(both).toMatchObject({ requests: 4, last: { height: 2, token_id: "3", collection_addr: dogs } });
    const one = await follow(`${nft}/tokens/by_collection/c1?pagination.reverse=false`, start);
    expect(one.ids).toEqual(["1", "2", "3", "4", "5"]);
    expect(one).toMatchObject({ requests: 3, last: { token_id: "4" } });
    expect(Object.keys(one.last as object)).toEqual(["height", "token_id"]);

    const pages: string[] = [];
    let key: string | null = base64(JSON.stringify({ height: 9, collection_addr: "0x00" }));
    while (key !== null) {
      const answer: Answer = await read(
        api,
        `${nft}/collections?pagination.limit=1&pagination.key=${encodeURIComponent(key)}`,
      );
      pages.push(...answer.collections.map(({ object_addr }) => object_addr));
      key = answer.pagination.next_key;
    }
    expect(pages).toEqual([dogs, cats]);
  });

  it("lists a collection in numeric order, page by page, and after the numbers the other IDs as text", async () => {
    const numbers = ["0", "00", "7", "08", "8", "9", "010", "10", "88", "89", "000100"];
    numbers.push(`${2n ** 64n}`, `${2n ** 256n - 1n}`, `${2n ** 256n}`, `${10n ** 99n}`, "9".repeat(512));
    const ids = [...numbers, "", " 1", "-1", "1 ", "1.5", "1e3", "a", "x", "٣"];
    const store = await openNew(create);
    const minted = ids.map((id, index) => mint(cats, id, address(index % 3 === 0 ? "bb" : "aa")));
    await apply(
      store,
      block(1, collection(cats), collection(dogs), ...minted.toReversed(), mint(dogs, "11", address("aa"))),
    );
    const api = createApi({ store });
    const indexer = openIndexer("http://indexer.test", { fetch: async (url) => api.request(url) });
    const held = ids.filter((_, index) => index % 3 !== 0);
    for (const paging of ["keyset", "offset"] as const) {
      for (const reverse of [false, true]) {
        const options = { orderBy: "token_number", paging, reverse } as const;
        const ofCats = tokensByCollection(indexer, cats, options);
        const ofAccount = tokensByAccount(indexer, "0xaa", { ...options, collectionAddr: cats });
        for (const [listing, expected] of [[ofCats, ids] as const, [ofAccount, held] as const]) {
          const listed: string[] = [];
          for await (const token of listing.items({ limit: 2 })) listed.push(token.nft.token_id);
          expect(listed).toEqual(reverse ? expected.toReversed() : expected);
        }
      }
    }
    const beyond = encodeURIComponent(base64(JSON.stringify({ height: 1, token_id: "9".repeat(3000) })));
    const after = await read(api, `${nft}/tokens/by_collection/c1?order_by=token_number&pagination.key=${beyond}`);
    expect(idsOf(after)).toEqual(numbers.toReversed());
    const one = await read(api, `${nft}/tokens/by_collection/c1?order_by=token_number&token_id=08`);
    expect([idsOf(one), one.pagination.total]).toEqual([["08"], "1"]);
    expect((await api.request(`${nft}/tokens/by_account/aa?order_by=token_number`)).status).toBe(400);
  });

  it("lists a token's transactions newest first, for any id", async () => {
    const api = createApi({ store: await openSample(create) });
    const first = await read(api, `${nft}/txs/c1/1?pagination.limit=1`);
    expect(first.txs).toMatchObject([{ txhash: hash(5), height: 3 }]);
    expect(first.pagination.total).toBe("2");
    const second = await read(
      api,
      `${nft}/txs/c1/1?pagination.key=${encodeURIComponent(first.pagination.next_key ?? "")}`,
    );
    expect(second.txs).toMatchObject([{ txhash: hash(1), height: 2 }]);
    expect((await read(api, `${nft}/txs/c1/1?pagination.offset=1&pagination.reverse=false`)).txs).toMatchObject([
      { txhash: hash(5) },
    ]);
    for (const id of ["a/b", "ü ?#&+%", "%41", "..a"]) {
      const { txs } = await read(api, `${nft}/txs/c2/${encodeURIComponent(id)}`);
      const { tokens } = await read(api, `${nft}/tokens/by_collection/c2?token_id=${encodeURIComponent(id)}`);
      expect({ id, txs: txs.length, tokens: tokens.length }).toEqual({ id, txs: 1, tokens: 1 });
    }
  });

  it("reports what it indexes in its status", async () => {
    const empty = createApi({ store: await openNew(create), version: "1.2.3" });
    expect(await (await empty.request("/status")).json()).toEqual({
      version: "1.2.3",
      commit_hash: "unknown",
      chain_id: "",
      height: 0,
      left_out: 0,
      pending_uris: 0,
      lag: 0,
      seen_at: null,
    });
    const api = createApi({ store: await openSample(create) });
    expect(await (await api.request("/status")).json()).toMatchObject({
      chain_id: "test-1",
      height: 3,
      left_out: 1,
      lag: 0,
      seen_at: null,
    });
  });
});
