import { sql, type ColumnDataType, type Kysely, type RawBuilder } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { VipError } from "@vipscore/core";
import type { Database, Engine } from "./database.ts";
import { databaseError, isDamaged } from "./databaseErrors.ts";

/** Names sort in the order of the steps and never change, because the database stores them. */
function stepsOf(engine: Engine): Record<string, Migration> {
  return { "0001_schema": initialSchema(engine) };
}

/** Migrates a database to this version's schema. @throws VipError DATABASE_INVALID if it is from another version, or not ours. */
export async function migrate({ engine, writer }: Database): Promise<void> {
  const steps = stepsOf(engine);
  const migrator = new Migrator({ db: writer, provider: { getMigrations: async () => steps } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const known = databaseError(error);
  if (known?.code === "DATABASE_UNREACHABLE" || isDamaged(error)) throw known;
  const reason = error instanceof Error ? error.message : "it was refused";
  throw new VipError(`the database's schema cannot be brought to this version's: ${reason}`, {
    code: "DATABASE_INVALID",
    metaMessages: [
      "It is from another version of the indexer, or not the indexer's: use that version, or another database.",
    ],
    cause: error,
  });
}

/** Checks that a database has this version's schema, without writing to it. */
export async function checkSchema({ engine, reader }: Database): Promise<void> {
  let names: readonly string[] = [];
  try {
    const query = sql<{ readonly name: string }>`select name from kysely_migration order by name`;
    names = (await query.execute(reader)).rows.map(({ name }) => name);
  } catch (error) {
    const known = databaseError(error);
    if (known === undefined || known.code === "DATABASE_UNREACHABLE" || isDamaged(error)) throw known ?? error;
    // There is no such table before the first migration.
  }
  if (names.join() === Object.keys(stepsOf(engine)).join()) return;
  throw new VipError("the database does not have this version's schema", {
    code: "DATABASE_INVALID",
    metaMessages: ["Start the follower of the same version first: it creates the tables."],
  });
}

type Type = ColumnDataType | RawBuilder<unknown>;

/** Differences between the two databases. */
interface Spelling {
  readonly bytes: Type;
  readonly text: Type;
  /** Follows the columns of a table. */
  readonly end: RawBuilder<unknown>;
}

/** Creates the tables: every listing has an index that starts with its filter and continues in its order. */
function initialSchema(engine: Engine): Migration {
  const bytes: Type = engine === "postgres" ? "bytea" : "blob";
  // SQLite compares text by its bytes by default; PostgreSQL only with this collation.
  const text: Type = engine === "postgres" ? sql`text collate "C"` : "text";
  // SQLite then stores rows in primary-key order instead of insertion order, without a second tree.
  const end = engine === "postgres" ? sql`` : sql`without rowid`;
  return { up: (db) => createTables(db, { bytes, text, end }) };
}

async function createTables(db: Kysely<unknown>, { bytes, text, end }: Spelling): Promise<void> {
  await db.schema
    .createTable("chain")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("chain_id", text, (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("block_hash", text, (column) => column.notNull())
    .addColumn("next_sequence", "bigint", (column) => column.notNull())
    .addColumn("left_out", "bigint", (column) => column.notNull())
    .addColumn("difference", "bigint", (column) => column.notNull())
    .addColumn("pending_uris", "bigint", (column) => column.notNull())
    .addColumn("collection_count", "bigint", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("collections")
    .addColumn("collection_addr", bytes, (column) => column.notNull().primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("origin_name", text, (column) => column.notNull())
    .addColumn("search_name", text, (column) => column.notNull())
    .addColumn("creator", bytes, (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("timestamp", text, (column) => column.notNull())
    .addColumn("token_count", "bigint", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addColumn("compared_at", "bigint", (column) => column.notNull())
    .addColumn("difference", "bigint", (column) => column.notNull())
    .modifyEnd(end)
    .execute();
  await createIndex(db, "collections", ["height", "collection_addr"]);
  await createIndex(db, "collections", ["name"]);

  await db.schema
    .createTable("tokens")
    .addColumn("collection_addr", bytes, (column) => column.notNull())
    .addColumn("token_id", text, (column) => column.notNull())
    .addColumn("token_number", text, (column) => column.notNull())
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("uri", text, (column) => column.notNull())
    .addColumn("object_addr", bytes)
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("timestamp", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("tokens_pk", ["collection_addr", "token_id"])
    .modifyEnd(end)
    .execute();
  await createIndex(db, "tokens", ["collection_addr", "height", "token_id"]);
  await createIndex(db, "tokens", ["collection_addr", "token_number", "token_id"]);
  await createIndex(db, "tokens", ["owner", "token_id", "height", "collection_addr"]);
  await createIndex(db, "tokens", ["owner", "height", "token_id", "collection_addr"]);
  await createIndex(db, "tokens", ["owner", "collection_addr", "token_id"]);
  await createIndex(db, "tokens", ["owner", "collection_addr", "token_number", "token_id"]);
  await createIndex(db, "tokens", ["owner", "collection_addr", "height", "token_id"]);
  await db.schema
    .createIndex("tokens_by_object")
    .on("tokens")
    .column("object_addr")
    .where("object_addr", "is not", null)
    .execute();

  // For the tokens that are asked again.
  await db.schema
    .createIndex("tokens_without_uri")
    .on("tokens")
    .columns(["collection_addr", "token_id"])
    .where(sql<boolean>`uri = ''`)
    .execute();

  await db.schema
    .createTable("pending_uris")
    .addColumn("collection_addr", bytes, (column) => column.notNull())
    .addColumn("token_id", text, (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("uris_in_block", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("pending_uris_pk", ["collection_addr", "token_id"])
    .modifyEnd(end)
    .execute();
  await createIndex(db, "pending_uris", ["height", "collection_addr", "token_id"]);

  await db.schema
    .createTable("uri_updates")
    .addColumn("collection_addr", bytes, (column) => column.notNull().primaryKey())
    .addColumn("first_id", text, (column) => column.notNull())
    .addColumn("last_id", text, (column) => column.notNull())
    .addColumn("token_count", "bigint", (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("pass_height", "bigint")
    .addColumn("after_id", text, (column) => column.notNull())
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("other_contracts")
    .addColumn("address", bytes, (column) => column.notNull().primaryKey())
    .addColumn("height", "bigint", (column) => column.notNull())
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("token_transactions")
    .addColumn("collection_addr", bytes, (column) => column.notNull())
    .addColumn("token_id", text, (column) => column.notNull())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .addColumn("number", "bigint", (column) => column.notNull())
    .addColumn("tx_hash", text, (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("timestamp", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("token_transactions_pk", ["collection_addr", "token_id", "sequence"])
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("holdings")
    .addColumn("owner", bytes, (column) => column.notNull())
    .addColumn("collection_height", "bigint", (column) => column.notNull())
    .addColumn("collection_addr", bytes, (column) => column.notNull())
    .addColumn("token_count", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("holdings_pk", ["owner", "collection_height", "collection_addr"])
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("owners")
    .addColumn("owner", bytes, (column) => column.notNull().primaryKey())
    .addColumn("token_count", "bigint", (column) => column.notNull())
    .addColumn("collection_count", "bigint", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("follower")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("head", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("score_contract")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("vm", text, (column) => column.notNull())
    .addColumn("chain_id", text, (column) => column.notNull())
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("block_hash", text, (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull())
    .addColumn("differences", "bigint", (column) => column.notNull())
    .addColumn("head", "bigint", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .addColumn("bridge_id", bytes)
    .execute();

  await db.schema
    .createTable("score_stages")
    .addColumn("stage", bytes, (column) => column.notNull().primaryKey())
    .addColumn("total", bytes, (column) => column.notNull())
    .addColumn("account_count", "bigint", (column) => column.notNull())
    .addColumn("revision", bytes)
    .addColumn("is_finalized", "integer", (column) => column.notNull())
    .addColumn("height", "bigint", (column) => column.notNull())
    .addColumn("digest", text)
    .addColumn("first_part", "bigint", (column) => column.notNull())
    .addColumn("last_part", "bigint", (column) => column.notNull())
    .addColumn("root", text)
    .modifyEnd(end)
    .execute();

  await db.schema
    .createTable("score_parts")
    .addColumn("stage", bytes, (column) => column.notNull())
    .addColumn("part", "bigint", (column) => column.notNull())
    .addColumn("rows", bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("score_parts_pk", ["stage", "part"])
    .execute();

  await db.schema
    .createTable("score_trees")
    .addColumn("stage", bytes, (column) => column.notNull())
    .addColumn("level", "integer", (column) => column.notNull())
    .addColumn("part", "bigint", (column) => column.notNull())
    .addColumn("first_node", bytes, (column) => column.notNull())
    .addColumn("nodes", bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("score_trees_pk", ["stage", "level", "part"])
    .execute();
  await createIndex(db, "score_trees", ["stage", "level", "first_node"]);
}

async function createIndex(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex([table, "by", ...columns].join("_"))
    .on(table)
    .columns([...columns])
    .execute();
}
