import { Migrator, type Migration } from "kysely/migration";
import { VipError } from "@vipscore/core";
import type { Database } from "./database.ts";
import { databaseError } from "./databaseErrors.ts";
import { initialSchema } from "./migrations/initialSchema.ts";
import { searchNames } from "./migrations/searchNames.ts";
import { storedCounts } from "./migrations/storedCounts.ts";

/**
 * Migrates a database to this version's schema.
 *
 * @throws VipError with DATABASE_UNREACHABLE if it cannot be written, DATABASE_INVALID if a newer version has changed
 * it, or it is not the indexer's.
 */
export async function migrate({ engine, writer }: Database): Promise<void> {
  // Names sort in the order of the steps and never change, because the database stores them.
  const steps: Record<string, Migration> = {
    "0001_initial_schema": initialSchema(engine),
    "0002_search_names": searchNames,
    "0003_stored_counts": storedCounts(engine),
  };
  const migrator = new Migrator({ db: writer, provider: { getMigrations: async () => steps } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : "it was refused";
  throw (
    databaseError(error) ??
    new VipError(`the database's schema cannot be brought to this version's: ${reason}`, {
      code: "DATABASE_INVALID",
      metaMessages: [
        "It is from a newer version of the indexer, or not the indexer's: upgrade, or use another database.",
      ],
      cause: error,
    })
  );
}
