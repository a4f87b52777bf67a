import { VipError } from "@vipscore/core";
import type { HexAddress } from "../chain/nftChain.ts";
import { applyBlocks } from "./applyBlocks.ts";
import type { Database } from "./database.ts";
import { withDatabaseErrors } from "./databaseErrors.ts";
import { migrate } from "./migrate.ts";
import { OffsetMarks } from "./offsetMarks.ts";
import { openPostgres } from "./openPostgres.ts";
import { openSqlite } from "./openSqlite.ts";
import { countCollections, readCollection, readCollections } from "./readCollections.ts";
import { countTokens, readTokens } from "./readTokens.ts";
import { countTransactions, readTransactions } from "./readTransactions.ts";
import type { Store, StoreStatus } from "./store.ts";
import { addressOfBytes } from "./storedRows.ts";

export type { Store } from "./store.ts";

/**
 * Opens the indexer's database, creating or migrating it if needed.
 *
 * @param database - Path of a SQLite file, `:memory:`, or a `postgres://` URL.
 * @throws VipError if it cannot be opened or reached, or is from a newer version; no message contains the URL's
 * password.
 * @example
 * const store = await openStore("nfts.sqlite");
 */
export async function openStore(database: string): Promise<Store> {
  const opened = await openDatabase(database);
  try {
    await migrate(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return storeOf(opened);
}

async function openDatabase(database: string): Promise<Database> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(database) ?? [];
  if (scheme === undefined) return openSqlite(database);
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
    readChain: () => withDatabaseErrors(() => readStatus(database)),
    readStatus: () => withDatabaseErrors(() => readStatus(database)),
    beginChain: (chainId, height) => withDatabaseErrors(() => beginChain(database, chainId, height)),
    readCollectionAddrs: () => withDatabaseErrors(() => readCollectionAddrs(database)),
    applyBlocks: (blocks, progress) => withDatabaseErrors(() => applyBlocks(database, blocks, progress)),
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
  const row = { id: 1, chain_id: chainId, height, block_hash: "", next_sequence: 1, left_out: 0, collection_count: 0 };
  await claim(writer);
  await writer.insertInto("chain").values(row).execute();
}

async function readStatus({ reader }: Database): Promise<StoreStatus | undefined> {
  const row = await reader.selectFrom("chain").selectAll().executeTakeFirst();
  return row && { chainId: row.chain_id, height: row.height, blockHash: row.block_hash, leftOut: row.left_out };
}

async function readCollectionAddrs({ reader }: Database): Promise<readonly HexAddress[]> {
  const rows = await reader.selectFrom("collections").select("collection_addr").execute();
  return rows.map((row) => addressOfBytes(row.collection_addr));
}
