import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import type { HexAddress, NftBlock } from "../../src/chain/nftChain.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import type { TokenPlace, TokenRow, TokensRequest } from "../../src/store/store.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases } from "./databases.ts";

const random = seededRandom(fuzzSeed());
const owners = ["a1", "a2", "a3"].map((digits) => address(digits));
const collections = ["c1", "c2", "c3", "c4"].map((digits) => address(digits));
// Texts whose order differs between bytes, UTF-16 and language collations.
const ids = [
  "",
  "1",
  "10",
  "9",
  "99",
  "a",
  "B",
  "é",
  "z",
  "Z",
  "～",
  "😀",
  "～a",
  " ",
  "-1",
  "a b",
  "ß",
  "ss",
  "\u{10FFFF}",
];

type Token = Omit<TokenRow, "uri" | "timestamp" | "objectAddr" | "collectionName" | "collectionOriginName">;

const names = ["Good Cats", "good_cats", "100% Cats", "ÄPFEL"];
const announcements = collections.map((addr, index) => collection(addr, names[index]));
// Two of them start in one block.
const beginnings: readonly NftBlock[] = [
  block(1, ...announcements.slice(0, 2)),
  block(2, ...announcements.slice(2, 3)),
  block(3, ...announcements.slice(3)),
];
const tokens: readonly Token[] = collections.flatMap((collectionAddr) =>
  ids.map((tokenId) => ({
    collectionAddr,
    tokenId,
    owner: random.pick(owners),
    height: 10 + random.below(5),
  })),
);
const mints: readonly NftBlock[] = [10, 11, 12, 13, 14].map((height) =>
  block(
    height,
    ...tokens
      .filter((token) => token.height === height)
      .map(({ collectionAddr, tokenId, owner }) => mint(collectionAddr, tokenId, owner, { txHash: hash(height) })),
  ),
);

const filters = [
  ...owners.map((owner) => ({ owner })),
  ...collections.map((collectionAddr) => ({ collectionAddr })),
  { owner: owners[0], collectionAddr: collections[0] },
  { owner: owners[1], tokenId: "9" },
  { collectionAddr: collections[1], tokenId: "é" },
  { owner: address("a9") },
  { collectionAddr: address("c9") },
];
const cases = filters.flatMap((filter) =>
  (["token_id", "height"] as const).flatMap((orderBy) =>
    [true, false].map((reverse) => ({ filter, orderBy, reverse })),
  ),
);

describe.each(databases)("%s", (_name, create) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await create());
    await apply(store, ...beginnings, ...mints);
  });
  afterAll(() => store.close());

  it.each(cases)("lists $filter by $orderBy, reverse $reverse", async (listing) => {
    const expected = expectedRows(listing).map(keyOf);
    const whole = await store.readTokens({ ...listing, place: { offset: 0n }, limit: 1000 });
    expect(whole.map(keyOf)).toEqual(expected);
    expect(await store.countTokens(listing.filter)).toBe(expected.length);

    const byOffset: TokenRow[] = [];
    for (let offset = 0n; byOffset.length < expected.length; offset += 3n) {
      const page = await store.readTokens({ ...listing, place: { offset }, limit: 3 });
      expect(page.length).toBeGreaterThan(0);
      byOffset.push(...page);
    }
    expect(byOffset.map(keyOf)).toEqual(expected);

    const byRow: TokenRow[] = [];
    let place: TokensRequest["place"] = { offset: 0n };
    for (let page = await read(); page.length > 0; page = await read()) {
      byRow.push(...page);
      place = { after: byRow.at(-1) as TokenPlace };
    }
    function read() {
      return store.readTokens({ ...listing, place, limit: 3 });
    }
    expect(byRow.map(keyOf)).toEqual(expected);
  });

  it("skips all ties after a place without a collection", async () => {
    const filter = { owner: owners[0] };
    const all = expectedRows({ filter, orderBy: "height", reverse: false });
    const [first] = all;
    const place = { after: { height: first?.height ?? 0, tokenId: first?.tokenId ?? "", collectionAddr: undefined } };
    const rest = await store.readTokens({ filter, orderBy: "height", reverse: false, place, limit: 1000 });
    const tying = all.filter(({ height, tokenId }) => height === first?.height && tokenId === first.tokenId);
    expect(rest.map(keyOf)).toEqual(all.slice(tying.length).map(keyOf));
  });

  it("continues after a token that has moved, without returning it again", async () => {
    const filter = { collectionAddr: collections[0] as HexAddress };
    // As when its page was read: at a lower height than the token has now.
    const after = { height: 1, tokenId: "9", collectionAddr: undefined };
    const place = { after };
    const rest = await store.readTokens({ filter, orderBy: "token_id", reverse: false, place, limit: 1000 });
    expect(rest.map(({ tokenId }) => tokenId)).not.toContain("9");
    expect(rest.map(({ tokenId }) => tokenId)).toContain("99");
  });

  it("lists all collections, those of an account and those by name, in order of height", async () => {
    const page = { place: { offset: 0n }, limit: 10, reverse: false } as const;
    const read = async (filter: Parameters<Store["countCollections"]>[0]) => {
      const rows = await store.readCollections({ ...page, filter });
      expect(await store.countCollections(filter)).toBe(rows.length);
      return rows.map(({ collectionAddr }) => collectionAddr);
    };
    expect(await read({})).toEqual(collections);
    const held = new Set(tokens.filter(({ owner }) => owner === owners[2]).map(({ collectionAddr }) => collectionAddr));
    expect(await read({ owner: owners[2] as HexAddress })).toEqual(collections.filter((addr) => held.has(addr)));
    expect(await read({ name: "CATS" })).toEqual(collections.slice(0, 3));
    expect(await read({ name: "0% c" })).toEqual([collections[2]]);
    expect(await read({ name: "äpf" })).toEqual([collections[3]]);
    expect(await read({ name: String.raw`\ ` })).toEqual(collections);

    const reversed = await store.readCollections({ ...page, reverse: true, limit: 3, filter: {} });
    expect(reversed.map(({ collectionAddr }) => collectionAddr)).toEqual([...collections].reverse().slice(0, 3));
    for (const filter of [{}, { owner: owners[2] as HexAddress }]) {
      const [first, ...rest] = await store.readCollections({ ...page, filter });
      const after = { height: first?.height ?? 0, collectionAddr: first?.collectionAddr };
      expect(await store.readCollections({ ...page, filter, place: { after } })).toEqual(rest);
      const exceptTies = rest.filter(({ height }) => height > after.height);
      const place = { after: { height: after.height, collectionAddr: undefined } };
      expect(await store.readCollections({ ...page, filter, place })).toEqual(exceptTies);
    }
  });
});

function expectedRows({ filter, orderBy, reverse }: Pick<TokensRequest, "filter" | "orderBy" | "reverse">) {
  const matching = tokens.filter((token) =>
    (["owner", "collectionAddr", "tokenId"] as const).every(
      (name) => filter[name] === undefined || filter[name] === token[name],
    ),
  );
  const byId = (a: Token, b: Token) => Buffer.compare(Buffer.from(a.tokenId), Buffer.from(b.tokenId));
  const byHeight = (a: Token, b: Token) => a.height - b.height;
  const [first, second] = orderBy === "token_id" ? [byId, byHeight] : [byHeight, byId];
  const sorted = [...matching].sort(
    (a, b) => first(a, b) || second(a, b) || (a.collectionAddr < b.collectionAddr ? -1 : 1),
  );
  return reverse ? sorted.reverse() : sorted;
}

function keyOf({ collectionAddr, tokenId, owner, height }: Token): string {
  return [collectionAddr, tokenId, owner, height].join(" ");
}
