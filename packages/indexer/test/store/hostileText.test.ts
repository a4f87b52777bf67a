import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const cats = address("c1");
const alice = address("a1");
const bob = address("b1");
const page = { place: { offset: 0n }, limit: 1000, reverse: false } as const;

const longestId = "é".repeat(256);
const longestName = "n".repeat(1024);
const longestUri = `data:,${"u".repeat(65_530)}`;

/** The stored form of a text that is too long. */
function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")};bytes=${Buffer.byteLength(text)}`;
}

describe.each(databases)("%s", (_name, create) => {
  it("leaves out tokens whose id no page could hold, reports it, and continues", async () => {
    const store = await openNew(create);
    const unusable = ["a\0b", "\0", "\ud800", "x\udfffy", `${longestId}a`, "x".repeat(100_000)];
    const leftOut = await apply(
      store,
      block(
        1,
        collection(cats),
        ...unusable.map((tokenId) => mint(cats, tokenId, alice)),
        mint(cats, longestId, alice),
        mint(cats, "plain", alice),
      ),
    );
    expect(leftOut).toHaveLength(unusable.length);
    expect(leftOut[0]).toEqual({ height: 1, collectionAddr: cats, reason: expect.stringContaining("U+0000") });
    expect(Math.max(...leftOut.map(({ reason }) => reason.length))).toBeLessThan(100);
    const later = await apply(
      store,
      block(
        2,
        { kind: "transferred", token: { collectionAddr: cats, tokenId: "a\0b" }, owner: bob, txHash: hash(2) },
        { kind: "burned", token: { collectionAddr: cats, tokenId: "\ud800" }, txHash: hash(2) },
        { kind: "uriChanged", token: { collectionAddr: cats, tokenId: "\0" }, uri: "u", txHash: hash(2) },
        { kind: "transferred", token: { collectionAddr: cats, tokenId: longestId }, owner: bob, txHash: hash(2) },
      ),
    );
    expect(later).toHaveLength(1);
    expect(await store.readStatus()).toMatchObject({ leftOut: unusable.length + 1, height: 2 });
    const rows = await store.readTokens({ ...page, filter: { collectionAddr: cats }, orderBy: "token_id" });
    expect(rows.map(({ tokenId, owner }) => [tokenId, owner])).toEqual([
      ["plain", alice],
      [longestId, bob],
    ]);
    expect(await store.countTokens({ collectionAddr: cats })).toBe(2);
    expect(await store.countTransactions(cats, longestId)).toBe(2);
  });

  it("stores the longest texts, replaces what databases refuse, and stores digests of longer texts", async () => {
    const store = await openNew(create, { maxUriBytes: longestUri.length });
    const others = ["c2", "c3", "c4"].map((digits) => address(digits));
    const [odd, long, longest] = others as [typeof cats, typeof cats, typeof cats];
    const leftOut = await apply(
      store,
      block(
        1,
        collection(odd, "nul\0 half\ud83d"),
        collection(long, `${longestName}n`),
        collection(longest, longestName),
        mint(odd, "odd", alice, { uri: "\0\udc00" }),
        mint(odd, "long", alice, { uri: `${longestUri}u` }),
        mint(odd, "longest", alice, { uri: longestUri }),
        // U+FFFD has more bytes than the character that it replaces.
        mint(odd, "grown", alice, { uri: "\0".repeat(30_000) }),
      ),
    );
    // A digest is not what the chain has.
    const reasons = ["U+0000", `${longestUri.length + 1} bytes`, "U+0000"].map((part) => expect.stringContaining(part));
    expect(leftOut.map(({ reason }) => reason)).toEqual(reasons);
    const names = await Promise.all(others.map(async (addr) => (await store.readCollection(addr))?.name));
    expect(names).toEqual(["nul\uFFFD half\uFFFD", digestOf(`${longestName}n`), longestName]);
    const rows = await store.readTokens({ ...page, filter: { owner: alice }, orderBy: "token_id" });
    const uris = Object.fromEntries(rows.map(({ tokenId, uri }) => [tokenId, uri]));
    expect(uris).toEqual({
      odd: "\uFFFD\uFFFD",
      long: digestOf(`${longestUri}u`),
      longest: longestUri,
      grown: digestOf("\0".repeat(30_000)),
    });
  });

  it("accepts texts that look like SQL, and treats every character literally", async () => {
    const store = await openNew(create);
    const ids = [
      "'; drop table tokens; --",
      "%",
      "_",
      "\\",
      "?",
      "$1",
      ":x",
      "\u0001",
      "\u2028",
      "\ufeff",
      "{}",
      "null",
    ];
    await apply(store, block(1, collection(cats, "'\"%_\\"), ...ids.map((tokenId) => mint(cats, tokenId, alice))));
    for (const tokenId of ids) {
      const filter = { collectionAddr: cats, tokenId };
      const rows = await store.readTokens({ ...page, filter, orderBy: "token_id" });
      expect(rows.map((row) => row.tokenId)).toEqual([tokenId]);
      expect(await store.countTokens(filter)).toBe(1);
    }
    for (const name of ["'", '"', "%", "_", "\\", "\\%", "%_\\", "\0"]) {
      expect({ name, count: await store.countCollections({ name }) }).toEqual({ name, count: 1 });
    }
  });
});
