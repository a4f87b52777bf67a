import { describe, expect, it } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { address } from "../store/blocks.ts";
import { databases } from "../store/databases.ts";
import { base64, idsOf, nft, openSample, read } from "./sample.ts";

const aa = `${nft}/tokens/by_account/0xaa`;

describe.each(databases)("%s", (_name, create) => {
  it("accepts an address in every spelling", async () => {
    const api = createApi({ store: await openSample(create) });
    for (const spelling of [
      "0xaa",
      "aa",
      "AA",
      "0x00aa",
      address("aa"),
      `0x${"0".repeat(62)}aa`,
      "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
      "INIT1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ922KL203",
    ]) {
      const { pagination } = await read(api, `${nft}/tokens/by_account/${spelling}`);
      expect({ spelling, total: pagination.total }).toEqual({ spelling, total: "8" });
    }
    // The zero address owns nothing.
    for (const spelling of ["0x", "0x0", "0", "0".repeat(70)]) {
      const { tokens } = await read(api, `${nft}/tokens/by_account/${spelling}`);
      expect({ spelling, tokens }).toEqual({ spelling, tokens: [] });
    }
    for (const spelling of ["0xc1", "c1", address("c1")]) {
      expect((await read(api, `${nft}/tokens/by_collection/${spelling}`)).pagination.total).toBe("5");
      expect((await read(api, `${aa}?collection_addr=${spelling}`)).pagination.total).toBe("5");
    }
  });

  it.each([
    [`${nft}/tokens/by_account/0Xaa`, "[INVALID_VALUE] invalid value for account: 0Xaa (invalid address format)"],
    [`${nft}/tokens/by_account/%30xaa`, "[INVALID_VALUE] invalid value for account: %30xaa (invalid address format)"],
    [`${nft}/collections/by_account/cosmos1`, /^\[INVALID_VALUE\] invalid value for account: cosmos1 /],
    [`${nft}/tokens/by_account/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl204`, /^\[INVALID_VALUE\]/],
    [`${nft}/tokens/by_account/${"f".repeat(65)}`, /^\[INVALID_VALUE\]/],
    [`${nft}/tokens/by_collection/${"f".repeat(65)}`, /^\[INVALID_VALUE\] invalid value for address: f/],
    [`${nft}/tokens/by_collection/0Xaa`, "encoding/hex: invalid byte: U+0078 'x'"],
    [`${nft}/collections/%30`, "encoding/hex: invalid byte: U+0025 '%'"],
    [`${nft}/txs/a-b/1`, "encoding/hex: invalid byte: U+002D '-'"],
    [`${aa}?collection_addr=zz`, "encoding/hex: invalid byte: U+007A 'z'"],
    [`${aa}?collection_addr=%00`, "encoding/hex: invalid byte: U+0000"],
    [`${aa}?collection_addr=%C3%A9`, "encoding/hex: invalid byte: U+00C3 'Ã'"],
    [`${aa}?pagination.limit=0`, "pagination.limit must be between 1 and 1000"],
    [`${aa}?pagination.limit=-5`, "pagination.limit must be between 1 and 1000"],
    [`${nft}/collections?pagination.limit=1001`, "pagination.limit must be between 1 and 1000"],
    [`${aa}?pagination.offset=-1`, "pagination.offset cannot be negative"],
    [`${aa}?pagination.key=MQ`, "pagination.key must be a valid base64 encoded string"],
    [`${aa}?pagination.key=%21%21`, "pagination.key must be a valid base64 encoded string"],
    [`${aa}?pagination.key=${base64("-1")}`, "pagination.key must decode to a nonnegative integer"],
    [`${aa}?pagination.key=${base64("1.5")}`, "pagination.key must decode to a nonnegative integer"],
    [`${aa}?pagination.key=${base64("9".repeat(30))}`, "pagination.key must decode to a nonnegative integer"],
    [`${aa}?pagination.key=${base64("{")}`, "invalid pagination.key format"],
    [`${aa}?pagination.key=${base64("{}")}`, "invalid pagination.key format"],
    [`${aa}?pagination.key=${base64('{"height":"1","token_id":"1"}')}`, "invalid pagination.key format"],
    [`${aa}?pagination.key=${base64('{"height":1.5,"token_id":"1"}')}`, "invalid pagination.key format"],
    [`${aa}?pagination.key=${base64('{"height":1,"token_id":1}')}`, "invalid pagination.key format"],
    [
      `${aa}?pagination.key=${base64('{"height":1,"token_id":"1","collection_addr":5}')}`,
      "invalid pagination.key format",
    ],
    [`${nft}/collections?pagination.key=${base64('{"sequence":1}')}`, "invalid pagination.key format"],
    [`${nft}/txs/c1/1?pagination.key=${base64('{"height":1}')}`, "invalid pagination.key format"],
    [`${aa}?order_by=foo`, "invalid order_by value 'foo', must be one of: token_id, height"],
    [`${aa}?order_by=%00`, "invalid order_by value '\0', must be one of: token_id, height"],
  ])("refuses %s", async (path, message) => {
    const api = createApi({ store: await openSample(create) });
    const response = await api.request(path);
    const text = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "text/plain; charset=utf-8"]);
    if (typeof message === "string") expect(text).toBe(message);
    else expect(text).toMatch(message);
  });

  it("silently uses the default for values that cannot be parsed", async () => {
    const api = createApi({ store: await openSample(create) });
    const whole = await read(api, aa);
    for (const query of [
      "pagination.limit=abc",
      "pagination.limit=",
      "pagination.limit=1e2",
      "pagination.limit=99999999999999999999",
      "pagination.limit=%2B100",
      "pagination.offset=x",
      "pagination.count_total=no",
      "pagination.count_total=T",
      "pagination.reverse=yes",
      "pagination.reverse=1",
      "pagination.key=",
      "order_by=",
      "order_by=%20TOKEN_ID",
      "token_id=",
      "collection_addr=",
      "unknown=1",
    ]) {
      expect({ query, ...(await read(api, `${aa}?${query}`)) }).toEqual({ query, ...whole });
    }
    expect((await read(api, `${aa}?pagination.count_total=0`)).pagination.total).toBe("0");
    const ascending = await read(api, `${aa}?pagination.reverse=F&pagination.limit=1`);
    expect(idsOf(ascending)).toEqual(["1"]);
  });

  it("returns nothing for texts that no database accepts", async () => {
    const api = createApi({ store: await openSample(create) });
    for (const path of [
      `${aa}?token_id=%00`,
      `${aa}?token_id=${"x".repeat(5000)}`,
      `${nft}/tokens/by_collection/c1?token_id=a%00b`,
      `${nft}/collections/by_name/${"x".repeat(5000)}`,
      `${nft}/txs/c1/%00`,
      `${aa}?pagination.key=${base64(String.raw`{"height":1,"token_id":"\u0000"}`)}&pagination.count_total=false`,
      `${aa}?pagination.key=${base64(String.raw`{"height":1,"token_id":"\ud800"}`)}&pagination.count_total=false`,
    ]) {
      const { pagination, ...rows } = await read(api, path);
      expect({ path, rows: Object.values(rows) }).toEqual({ path, rows: [[]] });
      expect(pagination).toEqual({ previous_key: null, next_key: null, total: "0" });
    }
    expect((await read(api, `${aa}?token_id=%ff`)).tokens).toEqual([]);
    const beyond = encodeURIComponent(base64(`{"height":1,"token_id":"${"9".repeat(3000)}"}`));
    expect((await read(api, `${aa}?pagination.key=${beyond}`)).tokens).toHaveLength(8);
  });
});
