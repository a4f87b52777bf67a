import { join } from "node:path";
import { startPostgres } from "@vipscore/testkit/startPostgres";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";

/** A database for one test file. */
export interface TestDatabase {
  /** The argument of `openStore`. */
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** The databases that the server runs on. */
export const databases: readonly { readonly name: string; readonly create: () => Promise<TestDatabase> }[] = [
  { name: "SQLite", create: createSqlite },
  { name: "PostgreSQL", create: createPostgres },
];

/** A SQLite file in its own folder. */
export async function createSqlite(): Promise<TestDatabase> {
  return { url: join(temporaryFolder(), "nfts.sqlite"), remove: () => Promise.resolve() };
}

/** A dedicated PostgreSQL. */
async function createPostgres(): Promise<TestDatabase> {
  const postgres = await startPostgres();
  return { url: await postgres.createDatabase("conformance"), remove: postgres.stop };
}
