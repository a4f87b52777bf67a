import { expressionBuilder, sql, type Expression, type Kysely, type SqlBool } from "kysely";
import type { HexAddress } from "../chain/nftChain.ts";
import { addressBytes, addressOfBytes, inChunks, tokenNumber, type Database, type Engine } from "./database.ts";
import { inOrder, isAfter, pageOf } from "./pageOf.ts";
import type { TokenFilter, TokenPlace, TokenRow, TokensRequest } from "./store.ts";
import type { Tables } from "./tables.ts";

/**
 * Reads one page of tokens: a seek in the index of its filter and order, then only the page's rows. After a large
 * offset it starts at the nearest mark, unless the listing has changed since the mark was made.
 */
export async function readTokens(
  database: Database,
  marks: OffsetMarks,
  request: TokensRequest,
): Promise<readonly TokenRow[]> {
  const { filter, orderBy, reverse } = request;
  const offset = "offset" in request.place ? Number(request.place.offset) : 0;
  if (offset < rowsPerMark || !Number.isSafeInteger(offset) || filter.tokenId !== undefined) {
    return readTokenRows(database, filter, await database.readRows<TokenValues>(tokensQuery(database, request)));
  }
  const listing = JSON.stringify([filter.owner, filter.collectionAddr, orderBy, reverse]);
  const mark = marks.before(listing, offset);
  let values = await database.readRows<MarkedValues>(tokensQuery(database, request, mark));
  if (mark !== undefined && values[0]?.at(-1) !== mark.changedAt) {
    values = await database.readRows<MarkedValues>(tokensQuery(database, request));
  }
  const rows = await readTokenRows(database, filter, values);
  const changedAt = values[0]?.[7];
  if (changedAt !== undefined) {
    for (const index of new Set([0, rows.length - 1])) {
      const place = rows[index];
      if (place) marks.keep(listing, changedAt, { offset: offset + index + 1, place });
    }
  }
  return rows;
}

async function readTokenRows(database: Database, filter: TokenFilter, values: readonly (TokenValues | MarkedValues)[]) {
  const addresses = new Set(values.map(([collection]) => filter.collectionAddr ?? addressOfHex(collection)));
  const names = await readNames(database.reader, addresses);
  return values.map((row) => tokenRow(row, filter, names));
}

type QueryDatabase = Pick<Database, "engine" | "reader">;

/** The query of {@link readTokens}. Rows after an offset also have the height of the listing's last change. */
export function tokensQuery({ engine, reader }: QueryDatabase, request: TokensRequest, mark?: OffsetMark) {
  const { filter, place, reverse } = request;
  const order = orderColumns(request).map((column) => `tokens.${column}`);
  const valuesOf = (after: TokenPlace) => valuesAt(after, request);
  const tokens = reader.selectFrom("tokens").where(matches(filter));
  const columns = columnsOf(engine, filter);
  if ("after" in place || place.offset === 0n) return pageOf(tokens.select(columns), order, request, valuesOf);
  // Earlier rows are skipped in the index, without reading their contents.
  const offset = place.offset - BigInt(mark?.offset ?? 0);
  const keys = tokens.select(["tokens.collection_addr", "tokens.token_id"]);
  let page = pageOf(keys, order, { ...request, place: { offset } }, valuesOf);
  if (mark !== undefined) page = page.where(isAfter(valuesOf(mark.place), reverse));
  const query = reader
    .selectFrom(page.as("page"))
    .innerJoin("tokens", (join) =>
      join.onRef("tokens.collection_addr", "=", "page.collection_addr").onRef("tokens.token_id", "=", "page.token_id"),
    )
    .select(columns)
    // In the same statement, so that it shows the same state as the rows.
    .select(changedAtOf(filter).as("changed_at"));
  return inOrder(query, order, reverse);
}

/** The height of the last change of a listing, or of a larger one that includes it. */
function changedAtOf({ owner, collectionAddr }: TokenFilter) {
  if (owner !== undefined) return sql<number>`(select changed_at from owners where owner = ${addressBytes(owner)})`;
  if (collectionAddr === undefined) throw new Error("tokens are listed by owner or by collection");
  return sql<number>`(select changed_at from collections where collection_addr = ${addressBytes(collectionAddr)})`;
}

/**
 * The values of a listed token's columns. Addresses are hex: drivers take much longer for bytes. Null for those that the
 * filter has.
 */
type TokenValues = readonly [
  collectionAddr: string | null,
  tokenId: string,
  owner: string | null,
  uri: string | null,
  objectAddr: string | null,
  height: number,
  timestamp: string,
];

type MarkedValues = readonly [...TokenValues, changedAt: number];

/** Bytes of a URI above which a listing does not have it. */
const longUriBytes = 65_536;

function columnsOf(engine: Engine, { owner, collectionAddr }: TokenFilter) {
  const hex = (column: "collection_addr" | "owner" | "object_addr", known?: HexAddress) => {
    const value = sql.ref(`tokens.${column}`);
    if (known !== undefined) return sql<string | null>`null`.as(column);
    return (
      engine === "postgres" ? sql<string | null>`encode(${value}, 'hex')` : sql<string | null>`lower(hex(${value}))`
    ).as(column);
  };
  return [
    hex("collection_addr", collectionAddr),
    "tokens.token_id",
    hex("owner", owner),
    // Long ones are read one by one: a page of a thousand could hold a gigabyte.
    sql<string | null>`case when octet_length(tokens.uri) > ${sql.lit(longUriBytes)} then null else tokens.uri end`.as(
      "uri",
    ),
    hex("object_addr"),
    "tokens.height",
    "tokens.timestamp",
  ] as const;
}

interface CollectionNames {
  readonly name: string;
  readonly origin_name: string;
}

/** Reads the names of collections, by address: apart from their tokens, because a page has few. */
async function readNames(
  database: Kysely<Tables>,
  collections: ReadonlySet<HexAddress>,
): Promise<ReadonlyMap<HexAddress, CollectionNames>> {
  const names = new Map<HexAddress, CollectionNames>();
  for await (const chunk of inChunks([...collections])) {
    const query = database.selectFrom("collections").select(["collection_addr", "name", "origin_name"]);
    const rows = await query.where("collection_addr", "in", chunk.map(addressBytes)).execute();
    for (const row of rows) names.set(addressOfBytes(row.collection_addr), row);
  }
  return names;
}

function tokenRow(
  [collection, tokenId, holder, uri, objectAddr, height, timestamp]: TokenValues | MarkedValues,
  { owner = addressOfHex(holder), collectionAddr = addressOfHex(collection) }: TokenFilter,
  names: ReadonlyMap<HexAddress, CollectionNames>,
): TokenRow {
  const named = names.get(collectionAddr);
  return {
    collectionAddr,
    tokenId,
    owner,
    uri: uri ?? undefined,
    // SQLite's hex of nothing is empty.
    objectAddr: objectAddr ? `0x${objectAddr}` : undefined,
    height,
    timestamp,
    collectionName: named?.name ?? "",
    collectionOriginName: named?.origin_name ?? "",
  };
}

function addressOfHex(hex: string | null): HexAddress {
  return `0x${hex}`;
}

/** Reads the URI of a token; empty for a token that no longer exists. */
export async function readUri(
  database: Kysely<Tables>,
  { collectionAddr, tokenId }: Pick<TokenRow, "collectionAddr" | "tokenId">,
): Promise<string> {
  const query = database.selectFrom("tokens").select("uri").where("collection_addr", "=", addressBytes(collectionAddr));
  return (await query.where("token_id", "=", tokenId).executeTakeFirst())?.uri ?? "";
}

/** Returns a stored count of tokens; with a token ID, counts the few that have it, at most one in each collection. */
export async function countTokens(database: Kysely<Tables>, filter: TokenFilter): Promise<number> {
  const { owner, collectionAddr, tokenId } = filter;
  if (tokenId !== undefined) {
    const query = database.selectFrom("tokens").where(matches(filter));
    return (await query.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  }
  if (owner === undefined) {
    const query = database.selectFrom("collections").select("token_count as count");
    if (collectionAddr === undefined) throw new Error("tokens are counted by owner or by collection");
    return (await query.where("collection_addr", "=", addressBytes(collectionAddr)).executeTakeFirst())?.count ?? 0;
  }
  if (collectionAddr === undefined) {
    const query = database.selectFrom("owners").select("token_count as count");
    return (await query.where("owner", "=", addressBytes(owner)).executeTakeFirst())?.count ?? 0;
  }
  const height = database
    .selectFrom("collections")
    .select("height")
    .where("collection_addr", "=", addressBytes(collectionAddr));
  const query = database.selectFrom("holdings").select("token_count as count").where("owner", "=", addressBytes(owner));
  const ofCollection = query.where("collection_addr", "=", addressBytes(collectionAddr));
  return (await ofCollection.where("collection_height", "=", height).executeTakeFirst())?.count ?? 0;
}

function matches({ owner, collectionAddr, tokenId }: TokenFilter): Expression<SqlBool> {
  const build = expressionBuilder<Tables, "tokens">();
  return build.and([
    ...(owner === undefined ? [] : [build("tokens.owner", "=", addressBytes(owner))]),
    ...(collectionAddr === undefined ? [] : [build("tokens.collection_addr", "=", addressBytes(collectionAddr))]),
    ...(tokenId === undefined ? [] : [build("tokens.token_id", "=", tokenId)]),
  ]);
}

type OrderColumn = TokensRequest["orderBy"] | "collection_addr";

/** The columns that identify rows of the listing, in its order; an index of the table has them in this order. */
function orderColumns({ filter, orderBy }: Pick<TokensRequest, "filter" | "orderBy">): readonly OrderColumn[] {
  if (orderBy === "token_number") return ["token_number", "token_id"];
  const order: readonly OrderColumn[] = orderBy === "token_id" ? ["token_id", "height"] : ["height", "token_id"];
  if (filter.collectionAddr === undefined) return [...order, "collection_addr"];
  // A token ID is unique within a collection.
  return orderBy === "token_id" ? ["token_id"] : order;
}

/** The values of a place that are compared with those of rows. */
function valuesAt(after: TokenPlace, listing: Pick<TokensRequest, "filter" | "orderBy">) {
  const values = {
    token_id: after.tokenId,
    token_number: tokenNumber(after.tokenId ?? ""),
    height: after.height,
    collection_addr: after.collectionAddr && addressBytes(after.collectionAddr),
  };
  const compared: readonly OrderColumn[] = after.tokenId === undefined ? ["height"] : orderColumns(listing);
  return compared.map((column) => [`tokens.${column}`, values[column]] as const);
}

/** Rows between two marks of a listing. */
const rowsPerMark = 1_000;

/** Listings whose marks are kept: the least recently used one is dropped first. */
const maxListings = 200;

/** A row of a listing, and how many rows it and those before it are. */
interface OffsetMark {
  readonly offset: number;
  readonly place: TokenPlace;
}

interface MarkedListing {
  /** The block of the listing's last change when its marks were made. */
  readonly changedAt: number;
  /** By offset divided by {@link rowsPerMark}. */
  readonly marks: Map<number, OffsetMark>;
}

/**
 * The places of some rows of large listings, as requests came by them: a page after a large offset is read from the
 * nearest one. A mark holds while its listing does not change, so its user compares the listing's `changedAt`.
 */
export class OffsetMarks {
  readonly #listings = new Map<string, MarkedListing>();

  /** Returns the last known mark at or before an offset, with the block of its listing's last change. */
  before(listing: string, offset: number): (OffsetMark & { readonly changedAt: number }) | undefined {
    const marked = this.#listings.get(listing);
    if (marked === undefined) return undefined;
    for (let step = Math.floor(offset / rowsPerMark); step >= 0; step -= 1) {
      const mark = marked.marks.get(step);
      if (mark !== undefined && mark.offset <= offset) return { ...mark, changedAt: marked.changedAt };
    }
    return undefined;
  }

  /** Keeps a mark of a listing whose last change was in that block. */
  keep(listing: string, changedAt: number, mark: OffsetMark): void {
    const known = this.#listings.get(listing);
    // A page read before the last change can arrive after it.
    if (known !== undefined && known.changedAt > changedAt) return;
    const marked = known?.changedAt === changedAt ? known : { changedAt, marks: new Map<number, OffsetMark>() };
    const step = Math.floor(mark.offset / rowsPerMark);
    const held = marked.marks.get(step);
    if (held === undefined || mark.offset < held.offset) marked.marks.set(step, mark);
    this.#listings.delete(listing);
    this.#listings.set(listing, marked);
    const [oldest] = this.#listings.keys();
    if (this.#listings.size > maxListings && oldest !== undefined) this.#listings.delete(oldest);
  }
}
