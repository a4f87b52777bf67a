import { sql, type Kysely, type SelectQueryBuilder, type SqlBool } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { addressBytes, collectionOf, searchName, type StoredCollection } from "./database.ts";
import { pageOf } from "./pageOf.ts";
import type { CollectionFilter, CollectionRow, CollectionsRequest } from "./store.ts";
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

const listedColumns = [
  "collections.collection_addr",
  "collections.name",
  "collections.origin_name",
  "collections.creator",
  "collections.token_count",
  "collections.height",
  "collections.timestamp",
] as const;

export function collectionsQuery(database: Kysely<Tables>, request: CollectionsRequest) {
  const { owner, name } = request.filter;
  if (owner !== undefined) {
    const ofOwner = database
      .selectFrom("holdings")
      // Not an inner join: if collections were read first, they would have to be sorted.
      .leftJoin("collections", "collections.collection_addr", "holdings.collection_addr")
      .where("holdings.owner", "=", addressBytes(owner))
      .select(listedColumns)
      .$castTo<ListedCollection>();
    return pageByHeight(ofOwner, ["holdings.collection_height", "holdings.collection_addr"], request);
  }
  const all = database.selectFrom("collections").select(listedColumns).$castTo<ListedCollection>();
  const found = name === undefined ? all : all.where(hasInName(name));
  return pageByHeight(found, ["collections.height", "collections.collection_addr"], request);
}

function pageByHeight<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, ListedCollection>,
  [height, address]: readonly [string, string],
  request: CollectionsRequest,
) {
  return pageOf(query, [height, address], request, (after) => [
    [height, after.height],
    [address, after.collectionAddr && addressBytes(after.collectionAddr)],
  ]);
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

type ListedCollection = StoredCollection & Pick<Tables["collections"], "token_count">;

function collectionRow(row: ListedCollection): CollectionRow {
  return { ...collectionOf(row), originName: row.origin_name, tokenCount: row.token_count };
}
