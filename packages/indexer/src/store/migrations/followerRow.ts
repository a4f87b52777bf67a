import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds what the follower last saw of the chain, for processes that only serve. */
export const followerRow: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable("follower")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("head", "bigint", (column) => column.notNull())
      .addColumn("seen_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
