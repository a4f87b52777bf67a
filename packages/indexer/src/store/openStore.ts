import { VipError } from "@vipscore/core";
import type { HexAddress } from "../chain/nftChain.ts";
import { applyBlocks } from "./applyBlocks.ts";
import { addressOfBytes, type Database } from "./database.ts";
import { withDatabaseErrors } from "./databaseErrors.ts";
import { checkSchema, migrate } from "./migrate.ts";
import { openPostgres } from "./openPostgres.ts";
import { openSqlite } from "./openSqlite.ts";
import { applyUris, readPendingUris } from "./pendingUris.ts";
import { countCollections, readCollection, readCollections } from "./readCollections.ts";
import { countTokens, OffsetMarks, readTokens } from "./readTokens.ts";
import { countTransactions, readTransactions } from "./readTransactions.ts";
import type { Store, StoreStatus } from "./store.ts";

export type { Store } from "./store.ts";

/**
 * Opens the indexer's database, and creates its tables if it is new.
 *
 * @param database - Path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @throws VipError if it cannot be opened or reached, or is from another version; no message contains the URL's
 * password.
 * @example
 * const store = await openStore("nfts.sqlite");
 */
export async function openStore(database: string): Promise<Store> {
  const opened = await openDatabase(database, { isWritten: true });
  try {
    await migrate(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return storeOf(opened);
}

/** Opens a database that another program writes, and writes nothing to it: it may be a read replica. */
export async function openStoreToRead(database: string): Promise<Store> {
  const opened = await openDatabase(database, { isWritten: false });
  try {
    await checkSchema(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return storeOf(opened);
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

/** Creates the store over a database with this version's schema. */
function storeOf(database: Database): Store {
  const { reader, close } = database;
  const marks = new OffsetMarks();
  return {
    claimWriting: () => withDatabaseErrors(() => database.claim(database.writer)),
    readChain: () => withDatabaseErrors(() => readStoreStatus(database)),
    readStatus: () => withDatabaseErrors(() => readStoreStatus(database)),
    beginChain: (chainId, height) => withDatabaseErrors(() => beginChain(database, chainId, height)),
    readCollectionAddrs: () => withDatabaseErrors(() => readCollectionAddrs(database)),
    applyBlocks: (blocks, progress) => withDatabaseErrors(() => applyBlocks(database, blocks, progress)),
    readPendingUris: (limit) => withDatabaseErrors(() => readPendingUris(database, limit)),
    applyUris: (reads) => withDatabaseErrors(() => applyUris(database, reads)),
    noteHead: (head, at) => withDatabaseErrors(() => noteHead(database, head, at)),
    readTokens: (request) => withDatabaseErrors(() => readTokens(database, marks, request)),
    countTokens: (filter) => withDatabaseErrors(() => countTokens(reader, filter)),
    readCollection: (collectionAddr) => withDatabaseErrors(() => readCollection(reader, collectionAddr)),
    readCollections: (request) => withDatabaseErrors(() => readCollections(reader, request)),
    countCollections: (filter) => withDatabaseErrors(() => countCollections(reader, filter)),
    readTransactions: (request) => withDatabaseErrors(() => readTransactions(reader, request)),
    countTransactions: (collectionAddr, tokenId) =>
      withDatabaseErrors(() => countTransactions(reader, collectionAddr, tokenId)),
    close,
  };
}

async function beginChain({ writer, claim }: Database, chainId: string, height: number): Promise<void> {
  const counts = { next_sequence: 1, left_out: 0, pending_uris: 0, collection_count: 0 };
  await claim(writer);
  await writer
    .insertInto("chain")
    .values({ id: 1, chain_id: chainId, height, block_hash: "", ...counts })
    .execute();
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
  const row = await query
    .select(["chain_id", "height", "block_hash", "left_out", "pending_uris", "head", "seen_at"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { chain_id: chainId, height, block_hash: blockHash, head, seen_at: at } = row;
  const seen = head === null || at === null ? undefined : { head, at };
  return { chainId, height, blockHash, leftOut: row.left_out, pendingUris: row.pending_uris, seen };
}

async function readCollectionAddrs({ reader }: Database): Promise<readonly HexAddress[]> {
  const rows = await reader.selectFrom("collections").select("collection_addr").execute();
  return rows.map((row) => addressOfBytes(row.collection_addr));
}
