import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { VipError } from "@vipscore/core";
import type { Database, Engine } from "./database.ts";
import { databaseError, isDamaged } from "./databaseErrors.ts";
import { tables, type Table } from "./tables.ts";

/** The only step. A database stores its name, which is another one for other tables: those are of another version. */
function stepsOf(engine: Engine): Record<string, Migration> {
  return { "0001_schema": { up: (db) => createTables(db, engine) } };
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

/** Differences between the two databases. */
const spellings = {
  // SQLite compares text by its bytes by default; stored in the order of the primary key, rows need no second tree.
  sqlite: { bytes: sql`blob`, text: sql`text`, end: sql`without rowid` },
  // PostgreSQL compares text by its bytes only with this collation.
  postgres: { bytes: sql`bytea`, text: sql`text collate "C"`, end: sql`` },
};

async function createTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { bytes, text, end } = spellings[engine];
  const numbers = { integer: sql`integer`, bigint: sql`bigint`, "bigint?": sql`bigint` };
  const types = { bytes, "bytes?": bytes, blob: bytes, text, "text?": text, ...numbers };
  for (const [name, { keys, columns }] of Object.entries<Table>(tables)) {
    const [primary, ...others] = keys;
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
    for (const [column, type] of Object.entries(columns)) {
      table = table.addColumn(column, types[type], (built) => (type.endsWith("?") ? built : built.notNull()));
    }
    if (!Object.values(columns).includes("blob")) table = table.modifyEnd(end);
    await table.addPrimaryKeyConstraint(`${name}_pk`, [...primary]).execute();
    for (const key of others) {
      const index = db.schema.createIndex([name, "by", ...key].join("_")).on(name);
      await index.columns([...key]).execute();
    }
  }
  await sql`create index tokens_by_object on tokens (object_addr) where object_addr is not null`.execute(db);
  // For the tokens that are asked again.
  await sql`create index tokens_without_uri on tokens (collection_addr, token_id) where uri = ''`.execute(db);
}
