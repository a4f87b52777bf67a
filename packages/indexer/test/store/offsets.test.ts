import { CompiledQuery } from "kysely";
import { describe, expect, it } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import type { NftChange } from "../../src/chain/nftChain.ts";
import { openPostgres } from "../../src/store/openPostgres.ts";
import { openStore } from "../../src/store/openStore.ts";
import { tokensQuery } from "../../src/store/readTokens.ts";
import type { TokenRow, TokensRequest } from "../../src/store/store.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";
import { explain } from "./explain.ts";

const cats = address("c1");
const dogs = address("c2");
const whale = address("aa");
const tokenCount = 4_000;
const limit = 20;
const random = seededRandom(fuzzSeed());

const listings = [
  { filter: { owner: whale }, orderBy: "token_id" },
  { filter: { owner: whale }, orderBy: "height" },
  { filter: { owner: whale, collectionAddr: cats }, orderBy: "token_id" },
  { filter: { collectionAddr: cats }, orderBy: "token_id" },
  { filter: { collectionAddr: cats }, orderBy: "height" },
  { filter: { collectionAddr: cats }, orderBy: "token_number" },
] as const;

/** Mints tokens of two collections to one owner, 1,000 a block. */
function mints(count = tokenCount): readonly (readonly NftChange[])[] {
  return Array.from({ length: count / 1_000 }, (_block, part) =>
    Array.from({ length: 1_000 }, (_token, index) => {
      const number = part * 1_000 + index;
      return mint(number % 4 ? cats : dogs, String(number), whale, { txHash: hash(number) });
    }),
  );
}

function randomChange(): NftChange {
  const number = random.below(tokenCount);
  const token = { collectionAddr: number % 4 ? cats : dogs, tokenId: String(number) };
  const txHash = hash(tokenCount + random.below(1e6));
  const kind = random.below(4);
  if (kind === 0) return { kind: "burned", token, txHash };
  if (kind === 1) return { kind: "uriChanged", token, uri: "ipfs://other", txHash };
  return { kind: "transferred", token, owner: kind === 2 ? whale : address("bb"), txHash };
}

describe.each(databases)("%s", (_name, create) => {
  it("reads the page after any offset, also after the listing has changed", async () => {
    const store = await openNew(create);
    await apply(store, block(1, collection(cats), collection(dogs)));
    let height = 1;
    for (const changes of mints()) await apply(store, block(++height, ...changes));
    const compare = async () => {
      for (const listing of listings) {
        const reverse = random.below(2) === 0;
        const whole: TokenRow[] = [];
        for (let page: readonly TokenRow[] = [{} as TokenRow]; page.length > 0; whole.push(...page)) {
          const last = whole.at(-1);
          const place = last ? { after: last } : { offset: 0n };
          page = await store.readTokens({ ...listing, reverse, place, limit: 1_000 });
        }
        for (let turn = 0; turn < 12; turn += 1) {
          const offset = random.below(whole.length + limit);
          const page = await store.readTokens({ ...listing, reverse, place: { offset: BigInt(offset) }, limit });
          expect(page).toEqual(whole.slice(offset, offset + limit));
        }
      }
    };
    await compare();
    for (let turn = 0; turn < 6; turn += 1) {
      await apply(store, block(++height, ...Array.from({ length: 1 + random.below(30) }, randomChange)));
      await compare();
    }
    // Nothing is left of the listings: the marks lead nowhere.
    const burns = mints()
      .flat()
      .map((change): NftChange => {
        if (change.kind !== "minted") throw new Error("not a mint");
        return { kind: "burned", token: change, txHash: hash(0) };
      });
    await apply(store, block(++height, ...burns));
    for (const listing of listings) {
      const request: TokensRequest = { ...listing, reverse: false, place: { offset: 2_000n }, limit };
      expect(await store.readTokens(request)).toEqual(listing.filter === listings[0].filter ? expect.anything() : []);
    }
  });
});

it("touches few pages of PostgreSQL after a large offset with a mark", async () => {
  const url = await createDatabase();
  const store = await openStore(url);
  const database = await openPostgres(url);
  try {
    await apply(store, block(1, collection(cats), collection(dogs)));
    let height = 1;
    for (const changes of mints(5 * tokenCount)) await apply(store, block(++height, ...changes));
    // A server that gathers statistics meanwhile, as a slow one does, plans with them and counts other pages.
    await database.writer.executeQuery(CompiledQuery.raw("vacuum analyze"));
    const request: TokensRequest = {
      filter: { collectionAddr: cats },
      orderBy: "token_id",
      reverse: false,
      place: { offset: 12_500n },
      limit,
    };
    const [place] = await store.readTokens({ ...request, place: { offset: 12_399n } });
    if (place === undefined) throw new Error("an empty page");
    const pagesOf = async (query: ReturnType<typeof tokensQuery>) => {
      type Row = { readonly "QUERY PLAN": readonly [{ readonly Plan: Readonly<Record<string, number>> }] };
      const [row] = await explain<Row>(database, "explain (analyze, buffers, format json)", query);
      const plan = row?.["QUERY PLAN"][0].Plan;
      return (plan?.["Shared Hit Blocks"] ?? Number.NaN) + (plan?.["Shared Read Blocks"] ?? Number.NaN);
    };
    const keyPage = await pagesOf(tokensQuery(database, { ...request, place: { after: place } }));
    const marked = await pagesOf(tokensQuery(database, request, { offset: 12_400, place }));
    const unmarked = await pagesOf(tokensQuery(database, request));
    console.log(`pages: ${keyPage} after a key, ${marked} after a mark, ${unmarked} without one`);
    // A page for each row from the mark on, and not for those before it.
    expect(marked).toBeLessThanOrEqual(100 + limit);
    expect(unmarked).toBeGreaterThan(2 * marked);
  } finally {
    await database.close();
    await store.close();
  }
});
