import { describe, expect, it } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { databases, openNew } from "../store/databases.ts";
import { base64, fromBase64, idsOf, nft, openSample, read } from "./sample.ts";

// Behavior from the public source of a real indexer (initia-labs/rollytics 3a2b99d, api/handler/nft/cache.go and
// util/common-handler/common/pagination.go) that no recording shows.

describe.each(databases)("%s", (_name, create) => {
  const names = ["Good Cats!", "good-cats", "GÖÖD ΟΔΟΣ", "100% _cats_", "İstanbul", "猫 ２", "✓", ""];
  const open = async () => {
    const store = await openNew(create);
    await apply(store, block(1, ...names.map((name, index) => collection(address(`c${index}`), name))));
    return createApi({ store });
  };

  it.each([
    ["good cats", ["Good Cats!", "good-cats"]],
    ["G.O.O.D", ["Good Cats!", "good-cats"]],
    ["dcats", ["Good Cats!", "good-cats"]],
    ["gööd οδοσ", ["GÖÖD ΟΔΟΣ"]],
    ["100_CATS", ["100% _cats_"]],
    ["istan", ["İstanbul"]],
    ["猫２", ["猫 ２"]],
    ["dogs", []],
    ["%", names],
    ["✓\0", names],
  ])("by_name compares only letters, marks and digits: %j", async (name, found) => {
    const path = `${nft}/collections/by_name/${encodeURIComponent(name)}`;
    const { collections, pagination } = await read(await open(), `${path}?pagination.reverse=false`);
    expect(collections).toMatchObject(found.map((each) => ({ collection: { name: each } })));
    expect(pagination.total).toBe(String(found.length));
  });

  it("by_name returns the total even if it is turned off, and past the end", async () => {
    const api = await open();
    for (const query of ["pagination.count_total=false", "pagination.limit=1", "pagination.offset=99"]) {
      expect((await read(api, `${nft}/collections/by_name/cats?${query}`)).pagination.total).toBe("3");
    }
  });

  it("a key with only a height returns the tokens below or above it, in the listing's order", async () => {
    const store = await openNew(create);
    const [cats, owner] = [address("c1"), address("aa")];
    const mints = (height: number, ...ids: readonly string[]) =>
      block(height, ...ids.map((id) => mint(cats, id, owner)));
    await apply(store, block(1, collection(cats)), mints(2, "5", "1"), mints(3, "9", "2"), mints(4, "3"));
    const api = createApi({ store });
    for (const listing of [
      "tokens/by_account/aa",
      "tokens/by_collection/c1",
      "tokens/by_account/aa?collection_addr=c1&",
    ]) {
      const ask = async (height: number, query = "") => {
        const separator = listing.includes("?") ? "" : "?";
        const key = base64(JSON.stringify({ height }));
        return read(api, `${nft}/${listing}${separator}pagination.key=${key}${query}`);
      };
      expect(idsOf(await ask(4))).toEqual(["9", "5", "2", "1"]);
      expect(idsOf(await ask(4, "&order_by=height"))).toEqual(["9", "2", "5", "1"]);
      expect(idsOf(await ask(2, "&pagination.reverse=false"))).toEqual(["2", "3", "9"]);
      const page = await ask(4, "&order_by=height&pagination.limit=2");
      expect(idsOf(page)).toEqual(["9", "2"]);
      expect(page.pagination).toMatchObject({ previous_key: null, total: "5" });
      expect(JSON.parse(fromBase64(page.pagination.next_key ?? ""))).toEqual({ height: 3, token_id: "2" });
      expect(idsOf(await ask(2))).toEqual([]);
    }
  });

  it("refuses a key with only an id", async () => {
    const api = createApi({ store: await openSample(create) });
    const response = await api.request(`${nft}/tokens/by_account/aa?pagination.key=${base64('{"token_id":"1"}')}`);
    expect(response.status).toBe(400);
  });
});
