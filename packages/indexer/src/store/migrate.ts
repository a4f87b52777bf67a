import { sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { VipError } from "@vipscore/core";
import type { Database, Engine } from "./database.ts";
import { databaseError } from "./databaseErrors.ts";
import { initialSchema } from "./initialSchema.ts";

/** Names sort in the order of the steps and never change, because the database stores them. */
function stepsOf(engine: Engine): Record<string, Migration> {
  return { "0001_initial_schema": initialSchema(engine) };
}

/**
 * Migrates a database to this version's schema.
 *
 * @throws VipError with DATABASE_UNREACHABLE if it cannot be written, DATABASE_INVALID if it is from another version, or
 * not the indexer's.
 */
export async function migrate({ engine, writer }: Database): Promise<void> {
  const steps = stepsOf(engine);
  const migrator = new Migrator({ db: writer, provider: { getMigrations: async () => steps } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : "it was refused";
  throw (
    databaseError(error) ??
    new VipError(`the database's schema cannot be brought to this version's: ${reason}`, {
      code: "DATABASE_INVALID",
      metaMessages: [
        "It is from another version of the indexer, or not the indexer's: use that version, or another database.",
      ],
      cause: error,
    })
  );
}

/**
 * Checks that a database has this version's schema, without writing to it.
 *
 * @throws VipError DATABASE_INVALID if it has not, DATABASE_UNREACHABLE.
 */
export async function checkSchema({ engine, reader }: Database): Promise<void> {
  let names: readonly string[] = [];
  try {
    const query = sql<{ readonly name: string }>`select name from kysely_migration order by name`;
    names = (await query.execute(reader)).rows.map(({ name }) => name);
  } catch (error) {
    const lost = databaseError(error);
    if (lost !== undefined) throw lost;
    // There is no such table before the first migration.
  }
  if (names.join() === Object.keys(stepsOf(engine)).join()) return;
  throw new VipError("the database does not have this version's schema", {
    code: "DATABASE_INVALID",
    metaMessages: ["Start the follower of the same version first: it creates the tables."],
  });
}
