import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isLong } from "@vipscore/testkit/isLong";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { openStore, type OpenStoreOptions, type Store } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";

type NewDatabase = readonly [name: string, create: () => Promise<string>];
const inMemory: NewDatabase = ["SQLite in memory", async () => ":memory:"];

/**
 * Every kind of database, each with a function that returns a new `openStore` argument. SQLite in memory, which hardly differs
 * from a file, is included at night.
 */
export const databases: readonly NewDatabase[] = [
  ["a file of SQLite", temporaryFile],
  ...(isLong ? [inMemory] : []),
  ["PostgreSQL", createDatabase],
];

/** Opens a new database, which is closed when the test ends. */
export async function openNew(create: () => Promise<string>, options?: OpenStoreOptions): Promise<Store> {
  const store = await openStore(await create(), options);
  onTestFinished(() => store.close());
  return store;
}

/** Returns the path of a file that does not exist yet. */
export async function temporaryFile(): Promise<string> {
  return join(temporaryFolder(), "nfts.sqlite");
}
