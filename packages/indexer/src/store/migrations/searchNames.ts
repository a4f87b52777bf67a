import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Tables } from "../database.ts";
import { searchName } from "../storedRows.ts";

/** Number of collections read at once. */
const pageRows = 1_000;

/** Rewrites the searched part of each collection's name, which was the whole name before. */
export const searchNames: Migration = { up: (db: Kysely<Tables>) => rewrite(db) };

async function rewrite(db: Kysely<Tables>): Promise<void> {
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await db
      .selectFrom("collections")
      .select(["collection_addr", "name"])
      .where("collection_addr", ">", after)
      .orderBy("collection_addr")
      .limit(pageRows)
      .execute();
    for (const { collection_addr: address, name } of rows) {
      const change = { search_name: searchName(name) };
      await db.updateTable("collections").set(change).where("collection_addr", "=", address).execute();
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.collection_addr;
  }
}
