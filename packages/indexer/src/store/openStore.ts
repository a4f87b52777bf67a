import { sql } from "kysely";
import { VipError } from "@vipscore/core";
import type { HexAddress } from "../chain/nftChain.ts";
import { defaultMaxUriBytes } from "../chain/textDigest.ts";
import { applyBlocks } from "./applyBlocks.ts";
import { addressBytes, addressOfBytes, searchName, writeChain, type Database } from "./database.ts";
import { withDatabaseErrors } from "./databaseErrors.ts";
import { checkSchema, migrate } from "./migrate.ts";
import { openPostgres } from "./openPostgres.ts";
import { openSqlite } from "./openSqlite.ts";
import { applyUris, findWithoutUri, insertPendingUris, readPendingUris } from "./pendingUris.ts";
import { countCollections, readCollection, readCollections } from "./readCollections.ts";
import { countTokens, OffsetMarks, readTokens, readUri } from "./readTokens.ts";
import { countTransactions, readTransactions } from "./readTransactions.ts";
import { openScoreStore } from "./scores/scoreStore.ts";
import { maxNameBytes, storableText } from "./storableText.ts";
import type { Comparison, CountedTokens, Store, StoreStatus } from "./store.ts";
import { takeUriUpdate } from "./uriUpdates.ts";

export type { Store } from "./store.ts";

/** What a store keeps. */
export interface OpenStoreOptions {
  /** Maximum bytes of a URI; the digest of a longer one takes its place, and it counts as left out. Default: 1 MiB. */
  readonly maxUriBytes?: number | undefined;
}

/**
 * Opens the indexer's database, and creates its tables if it is new.
 *
 * @param database - Path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @throws VipError if it cannot be opened or reached, or is from another version; no message contains the URL's
 * password.
 * @example
 * const store = await openStore("nfts.sqlite");
 */
export async function openStore(
  database: string,
  { maxUriBytes = defaultMaxUriBytes }: OpenStoreOptions = {},
): Promise<Store> {
  return storeOf(await openDatabase(database, { isWritten: true }), migrate, maxUriBytes);
}

/** Opens a database that another program writes, and writes nothing to it: it may be a read replica. */
export async function openStoreToRead(database: string): Promise<Store> {
  return storeOf(await openDatabase(database, { isWritten: false }), checkSchema, defaultMaxUriBytes);
}

async function openDatabase(database: string, options: { readonly isWritten: boolean }): Promise<Database> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(database) ?? [];
  if (scheme === undefined) return openSqlite(database, options);
  if (/^postgres(?:ql)?$/i.test(scheme)) return openPostgres(database);
  // Without the URL: it may have a password.
  throw new VipError(`the indexer does not support databases of ${scheme}://`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Use a file for SQLite, :memory:, or a postgres:// URL."],
  });
}

/** Creates the store over a database, after a step that brings it to this version's schema, or throws. */
async function storeOf(
  database: Database,
  prepare: (database: Database) => Promise<void>,
  maxUriBytes: number,
): Promise<Store> {
  const { reader, close } = database;
  try {
    await prepare(database);
  } catch (error) {
    await close();
    throw error;
  }
  const marks = new OffsetMarks();
  return {
    claimWriting: () => withDatabaseErrors(() => database.claim(database.writer)),
    readChain: () => withDatabaseErrors(() => readStoreStatus(database)),
    readStatus: () => withDatabaseErrors(() => readStoreStatus(database)),
    readVersion: () => withDatabaseErrors(() => readVersion(database)),
    beginChain: (chainId, height) => withDatabaseErrors(() => beginChain(database, chainId, height)),
    readCollectionAddrs: () => withDatabaseErrors(() => readCollectionAddrs(database)),
    readOtherContracts: () => withDatabaseErrors(() => readOtherContracts(database)),
    applyBlocks: (blocks, progress) => withDatabaseErrors(() => applyBlocks(database, blocks, progress, maxUriBytes)),
    readPendingUris: (limit, after) => withDatabaseErrors(() => readPendingUris(database, limit, after)),
    takeUriUpdate: () => withDatabaseErrors(() => takeUriUpdate(database)),
    applyUris: (reads) => withDatabaseErrors(() => applyUris(database, reads, maxUriBytes)),
    readUncompared: () => withDatabaseErrors(() => readUncompared(database)),
    noteComparison: (counted, comparison) => withDatabaseErrors(() => noteComparison(database, counted, comparison)),
    noteHead: (head, at) => withDatabaseErrors(() => noteHead(database, head, at)),
    readUri: (token) => withDatabaseErrors(() => readUri(reader, token)),
    readTokens: (request) => withDatabaseErrors(() => readTokens(database, marks, request)),
    countTokens: (filter) => withDatabaseErrors(() => countTokens(reader, filter)),
    readCollection: (collectionAddr) => withDatabaseErrors(() => readCollection(reader, collectionAddr)),
    readCollections: (request) => withDatabaseErrors(() => readCollections(reader, request)),
    countCollections: (filter) => withDatabaseErrors(() => countCollections(reader, filter)),
    readTransactions: (request) => withDatabaseErrors(() => readTransactions(reader, request)),
    countTransactions: (collectionAddr, tokenId) =>
      withDatabaseErrors(() => countTransactions(reader, collectionAddr, tokenId)),
    scores: openScoreStore(database),
    close,
  };
}

async function beginChain({ writer, claim }: Database, chainId: string, height: number): Promise<void> {
  const counts = { next_sequence: 1, left_out: 0, difference: 0, pending_uris: 0, collection_count: 0, version: 0 };
  await claim(writer);
  await writer
    .insertInto("chain")
    .values({ id: 1, chain_id: chainId, height, block_hash: "", ...counts })
    .execute();
}

async function readUncompared({ reader }: Database): Promise<CountedTokens | undefined> {
  const row = await reader
    .selectFrom("collections")
    .innerJoin("chain", (join) => join.on("chain.id", "=", 1))
    .select(["collection_addr", "token_count", "name", "chain.height"])
    .whereRef("changed_at", ">", "compared_at")
    .orderBy("compared_at")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { token_count: count, name, height } = row;
  const place = { collectionAddr: addressOfBytes(row.collection_addr), height };
  const [withoutUri] = await findWithoutUri(reader, place, 1);
  return { ...place, count, name, withoutUri };
}

/** URIs to read again that are added at once. */
const urisPerStep = 250;

function noteComparison(
  database: Database,
  { collectionAddr, height }: CountedTokens,
  { difference, name, hasUris }: Comparison,
): Promise<void> {
  return writeChain(database, async (transaction, chain) => {
    const collection = addressBytes(collectionAddr);
    const stored = transaction.selectFrom("collections").select(["difference", "changed_at"]);
    const known = await stored.where("collection_addr", "=", collection).executeTakeFirst();
    if (known === undefined || known.changed_at > height) return;
    const again = hasUris ? await findWithoutUri(transaction, { collectionAddr, height }, urisPerStep) : [];
    await insertPendingUris(transaction, again);
    const compared = again.length < urisPerStep ? { compared_at: height, difference } : { difference };
    const kept = name && storableText(name, maxNameBytes);
    const named = kept === undefined ? {} : { name: kept, search_name: searchName(kept) };
    const changed = transaction.updateTable("collections").set({ ...compared, ...named });
    await changed.where("collection_addr", "=", collection).execute();
    const counts = {
      difference: chain.difference + difference - known.difference,
      pending_uris: chain.pending_uris + again.length,
      version: chain.version + (kept === undefined ? 0 : 1),
    };
    await transaction.updateTable("chain").set(counts).execute();
  });
}

async function noteHead({ writer }: Database, head: number, at: number): Promise<void> {
  await writer
    .insertInto("follower")
    .values({ id: 1, head, seen_at: at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ head, seen_at: at }))
    .execute();
}

async function readStoreStatus({ reader }: Database): Promise<StoreStatus | undefined> {
  const query = reader.selectFrom("chain").leftJoin("follower", "follower.id", "chain.id");
  const again = reader
    .selectFrom("uri_updates")
    .select((row) => sql<number>`cast(coalesce(${row.fn.sum("token_count")}, 0) as bigint)`.as("count"));
  const row = await query
    .select(["chain_id", "height", "block_hash", "left_out", "difference", "pending_uris", "head", "seen_at"])
    .select(again.as("again"))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { chain_id: chainId, height, block_hash: blockHash, head, seen_at: at } = row;
  const seen = head === null || at === null ? undefined : { head, at };
  return {
    chainId,
    height,
    blockHash,
    leftOut: row.left_out + row.difference,
    pendingUris: row.pending_uris + (row.again ?? 0),
    seen,
  };
}

async function readVersion({ reader, readRows }: Database): Promise<number> {
  const [row] = await readRows<readonly [version: number]>(reader.selectFrom("chain").select("version"));
  return row?.[0] ?? 0;
}

async function readOtherContracts({ reader }: Database): Promise<ReadonlyMap<HexAddress, number>> {
  const rows = await reader.selectFrom("other_contracts").selectAll().execute();
  return new Map(rows.map(({ address, height }) => [addressOfBytes(address), height]));
}

async function readCollectionAddrs({ reader }: Database): Promise<readonly HexAddress[]> {
  const rows = await reader.selectFrom("collections").select("collection_addr").execute();
  return rows.map((row) => addressOfBytes(row.collection_addr));
}
