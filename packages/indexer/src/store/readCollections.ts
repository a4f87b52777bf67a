import { sql, type Kysely, type SqlBool } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { addressBytes, collectionOf, searchName, type StoredCollection } from "./database.ts";
import type { CollectionFilter, CollectionPlace, CollectionRow, CollectionsRequest } from "./store.ts";
import type { Tables } from "./tables.ts";

export async function readCollection(
  database: Kysely<Tables>,
  collectionAddr: HexAddress,
): Promise<CollectionRow | undefined> {
  const query = database.selectFrom("collections").selectAll();
  const row = await query.where("collection_addr", "=", addressBytes(collectionAddr)).executeTakeFirst();
  return row && collectionRow(row);
}

/** Reads one page of collections with an index seek, except by name, which scans every collection's name. */
export async function readCollections(
  database: Kysely<Tables>,
  request: CollectionsRequest,
): Promise<readonly CollectionRow[]> {
  return (await collectionsQuery(database, request).execute()).map(collectionRow);
}

export function collectionsQuery(database: Kysely<Tables>, request: CollectionsRequest) {
  const { filter, place, limit, reverse } = request;
  const direction = reverse ? "desc" : "asc";
  if (filter.owner !== undefined) {
    const query = database
      .selectFrom("holdings")
      // Not an inner join: if collections were read first, they would have to be sorted.
      .leftJoin("collections", "collections.collection_addr", "holdings.collection_addr")
      .select([
        "holdings.collection_addr",
        sql<string>`collections.name`.as("name"),
        sql<string>`collections.origin_name`.as("origin_name"),
        sql<Buffer>`collections.creator`.as("creator"),
        sql<number>`collections.token_count`.as("token_count"),
        "holdings.collection_height as height",
        sql<string>`collections.timestamp`.as("timestamp"),
      ])
      .where("holdings.owner", "=", addressBytes(filter.owner))
      .orderBy("holdings.collection_height", direction)
      .orderBy("holdings.collection_addr", direction)
      .limit(limit);
    return "offset" in place
      ? query.offset(place.offset)
      : query.where(isAfterPlace(place.after, ["holdings.collection_height", "holdings.collection_addr"], reverse));
  }
  let query = database
    .selectFrom("collections")
    .select(["collection_addr", "name", "origin_name", "creator", "token_count", "height", "timestamp"])
    .orderBy("height", direction)
    .orderBy("collection_addr", direction)
    .limit(limit);
  if (filter.name !== undefined) query = query.where(hasInName(filter.name));
  return "offset" in place
    ? query.offset(place.offset)
    : query.where(isAfterPlace(place.after, ["height", "collection_addr"], reverse));
}

/** Returns the number of collections: a stored count, except by name, where reading the page scans every name too. */
export async function countCollections(database: Kysely<Tables>, filter: CollectionFilter): Promise<number> {
  if (filter.owner !== undefined) {
    const query = database.selectFrom("owners").select("collection_count as count");
    return (await query.where("owner", "=", addressBytes(filter.owner)).executeTakeFirst())?.count ?? 0;
  }
  if (filter.name === undefined) {
    return (await database.selectFrom("chain").select("collection_count as count").executeTakeFirst())?.count ?? 0;
  }
  const query = database.selectFrom("collections").where(hasInName(filter.name));
  return (await query.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

function hasInName(text: string) {
  // Letters, marks and digits: none of them is special in `like`.
  return sql<SqlBool>`search_name like ${`%${searchName(text)}%`}`;
}

function isAfterPlace(after: CollectionPlace, [height, address]: readonly [string, string], reverse: boolean) {
  const comparison = sql.raw(reverse ? "<" : ">");
  return after.collectionAddr === undefined
    ? sql<SqlBool>`${sql.ref(height)} ${comparison} ${after.height}`
    : sql<SqlBool>`(${sql.ref(height)}, ${sql.ref(address)}) ${comparison} (${after.height}, ${addressBytes(after.collectionAddr)})`;
}

function collectionRow(row: StoredCollection & Pick<Tables["collections"], "token_count">): CollectionRow {
  return { ...collectionOf(row), originName: row.origin_name, tokenCount: row.token_count };
}
