import type { Compilable } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NftBlock } from "../../src/chain/nftChain.ts";
import { applyBlocks } from "../../src/store/applyBlocks.ts";
import type { Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openPostgres } from "../../src/store/openPostgres.ts";
import { openSqlite } from "../../src/store/openSqlite.ts";
import { updateUris } from "../../src/store/pendingUris.ts";
import { collectionsQuery } from "../../src/store/readCollections.ts";
import { tokensQuery } from "../../src/store/readTokens.ts";
import { transactionsQuery } from "../../src/store/readTransactions.ts";
import type { CollectionFilter, TokenFilter } from "../../src/store/store.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, block, collection, hash, mint } from "./blocks.ts";
import { explain } from "./explain.ts";

const whale = address("aa");
const cats = address("c1");
const height = 50;

const tokenFilters: readonly TokenFilter[] = [
  { owner: whale },
  { owner: address("1234") },
  { collectionAddr: cats },
  { owner: whale, collectionAddr: cats },
  { owner: whale, tokenId: "100" },
  { collectionAddr: cats, tokenId: "100" },
];
const collectionFilters: readonly CollectionFilter[] = [{}, { owner: whale }];
const directions = [true, false];

function ordersOf({ collectionAddr, tokenId }: TokenFilter) {
  const isNumbered = collectionAddr !== undefined && tokenId === undefined;
  return isNumbered ? (["token_id", "height", "token_number"] as const) : (["token_id", "height"] as const);
}

/** Every listing by name: from the start, after a place, and after a place without a collection. */
function listings(database: Database): readonly (readonly [string, Compilable])[] {
  const { reader } = database;
  const tokens = tokenFilters.flatMap((filter) =>
    ordersOf(filter).flatMap((orderBy) =>
      directions.flatMap((reverse) =>
        [
          { offset: 0n },
          { after: { height, tokenId: "500", collectionAddr: cats } },
          { after: { height, tokenId: "500", collectionAddr: undefined } },
        ].map(
          (place) =>
            [
              `tokens ${[...Object.keys(filter), orderBy, reverse, ...Object.keys(place)].join(" ")}`,
              tokensQuery(database, { filter, orderBy, reverse, place, limit: 100 }),
            ] as const,
        ),
      ),
    ),
  );
  const collections = collectionFilters.flatMap((filter) =>
    directions.flatMap((reverse) =>
      [{ offset: 0n }, { after: { height, collectionAddr: cats } }].map(
        (place) =>
          [
            `collections ${[...Object.keys(filter), reverse, ...Object.keys(place)].join(" ")}`,
            collectionsQuery(reader, { filter, reverse, place, limit: 100 }),
          ] as const,
      ),
    ),
  );
  const transactions = directions.flatMap((reverse) =>
    [{ offset: 0n }, { after: { sequence: 5 } }].map(
      (place) =>
        [
          `transactions ${reverse} ${Object.keys(place).join("")}`,
          transactionsQuery(reader, { collectionAddr: cats, tokenId: "100", reverse, place, limit: 100 }),
        ] as const,
    ),
  );
  return [...tokens, ...collections, ...transactions];
}

/** Every listing of tokens after an offset. */
function afterOffset(database: Database): readonly Compilable[] {
  return tokenFilters.flatMap((filter) =>
    ordersOf(filter).map((orderBy) =>
      tokensQuery(database, { filter, orderBy, reverse: true, place: { offset: 500n }, limit: 100 }),
    ),
  );
}

describe("SQLite", () => {
  let database: Database;
  beforeAll(async () => {
    database = openSqlite(":memory:");
    await fill(database, 100);
  });
  afterAll(() => database.close());

  it("reads every listing through an index in its order", async () => {
    for (const [name, query] of listings(database)) {
      const rows = await explain<{ readonly detail: string }>(database, "explain query plan", query);
      const plan = rows.map(({ detail }) => detail).join("\n");
      const text = `${name}: ${plan}`;
      expect(text).toMatch(name.startsWith("collections") ? /: (SEARCH|SCAN) \w+ USING/ : /: SEARCH \w+ USING/);
      expect(text).not.toContain("TEMP B-TREE");
      // The search starts at the place: its columns are compared in the index, not row by row.
      if (name.endsWith("after") && !name.includes("tokenId")) expect(text).toMatch(/[<>]\(?\?[^\n]*\)/);
    }
  });

  it("skips the rows before an offset in an index only", async () => {
    for (const query of afterOffset(database)) {
      const rows = await explain<{ readonly detail: string }>(database, "explain query plan", query);
      const [passedOver, ...page] = rows.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN)/.test(detail));
      expect(passedOver).toMatch(/^SEARCH tokens USING (COVERING INDEX|PRIMARY KEY)/);
      expect(page.filter((detail) => detail.startsWith("SCAN"))).toEqual(["SCAN page"]);
    }
  });

  it("finds the tokens whose URIs it stores by their IDs", async () => {
    const uris = Array.from({ length: 250 }, (_, index) => ({ tokenId: `${index}`, text: "ipfs://x" }));
    const update = { compile: () => updateUris(cats, uris).compile(database.writer) };
    const rows = await explain<{ readonly detail: string }>(database, "explain query plan", update);
    const search = rows.find(({ detail }) => /(SEARCH|SCAN) tokens/.test(detail));
    expect(search?.detail).toBe("SEARCH tokens USING PRIMARY KEY (collection_addr=? AND token_id=?)");
  });
});

describe("PostgreSQL", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openPostgres(await createDatabase());
    await fill(database, 20_000);
  });
  afterAll(() => database.close());

  it("reads every listing through an index in its order", async () => {
    for (const [name, query] of listings(database)) {
      const [row] = await explain<{ readonly "QUERY PLAN": unknown }>(database, "explain (format json)", query);
      const text = `${name}: ${JSON.stringify(row?.["QUERY PLAN"])}`;
      expect(text).not.toMatch(/"Node Type":"(Seq Scan|Incremental Sort|Sort|Hash Join|Bitmap)/);
      // No row is read only to be skipped.
      expect(text).not.toContain('"Filter"');
    }
  });

  it("skips the rows before an offset in an index", async () => {
    for (const query of afterOffset(database)) {
      const [row] = await explain<{ readonly "QUERY PLAN": unknown }>(database, "explain (format json)", query);
      const text = JSON.stringify(row?.["QUERY PLAN"]);
      expect(text).toMatch(/"Node Type":"Limit".{0,300}"Node Type":"Index (Only )?Scan"/);
      expect(text).not.toMatch(/"Node Type":"(Seq Scan|Hash Join|Bitmap)/);
    }
  });
});

/** Half of the tokens belong to one owner, the others to one owner each. */
async function fill(database: Database, tokens: number): Promise<void> {
  await migrate(database);
  await database.writer
    .insertInto("chain")
    .values({
      id: 1,
      chain_id: "plans",
      height: 0,
      block_hash: "",
      next_sequence: 1,
      left_out: 0,
      difference: 0,
      pending_uris: 0,
      collection_count: 0,
      version: 0,
    })
    .execute();
  const collections = Array.from({ length: 2000 }, (_, number) => collection(address((0xc1 + number).toString(16))));
  const blocks: NftBlock[] = [block(1, ...collections)];
  for (let start = 0; start < tokens; start += 100) {
    const changes = Array.from({ length: 100 }, (_, index) => {
      const number = start + index;
      const owner = number % 2 === 0 ? whale : address((0x1000 + number).toString(16));
      return mint(number % 4 < 2 ? cats : address((0xc1 + (number % 2000)).toString(16)), String(number), owner, {
        txHash: hash(number),
      });
    });
    blocks.push(block(2 + start / 100, ...changes));
  }
  await applyBlocks(database, blocks, { height: blocks.length, blockHash: "" }, 1_000);
}
