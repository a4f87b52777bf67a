import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";

type NewDatabase = readonly [name: string, create: () => Promise<string>];
const inMemory: NewDatabase = ["SQLite in memory", async () => ":memory:"];

/**
 * Every kind of database, each with what makes a new one: the value for `openStore`. SQLite in memory, which differs from a file in
 * little, is one of them where VIPSCORE_LONG=true.
 */
export const databases: readonly NewDatabase[] = [
  ["a file of SQLite", temporaryFile],
  ...(process.env["VIPSCORE_LONG"] === "true" ? [inMemory] : []),
  ["PostgreSQL", createDatabase],
];

/** Opens a new database that is closed when the test ends. */
export async function openNew(create: () => Promise<string>): Promise<Store> {
  const store = await openStore(await create());
  onTestFinished(() => store.close());
  return store;
}

/** The path of a file that is not there yet, in a folder that goes when all tests have ended. */
export async function temporaryFile(): Promise<string> {
  return join(inject("scratchFolder"), `${randomBytes(8).toString("hex")}.sqlite`);
}
