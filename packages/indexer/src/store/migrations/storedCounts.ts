import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../database.ts";

/**
 * Stores what requests had to count: the tokens and collections of an owner, the collections of the chain, the
 * transactions of a token; and the height of the last change of each listing.
 */
export function storedCounts(engine: Engine): Migration {
  const bytes = engine === "postgres" ? "bytea" : "blob";
  const end = engine === "postgres" ? sql`` : sql`without rowid`;
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable("owners")
        .addColumn("owner", bytes, (column) => column.notNull().primaryKey())
        .addColumn("token_count", "bigint", (column) => column.notNull())
        .addColumn("collection_count", "bigint", (column) => column.notNull())
        .addColumn("changed_at", "bigint", (column) => column.notNull())
        .modifyEnd(end)
        .execute();
      await sql`
        insert into owners (owner, token_count, collection_count, changed_at)
        select owner, sum(token_count), count(*), (select height from chain) from holdings group by owner`.execute(db);
      for (const [table, column] of [
        ["chain", "collection_count"],
        ["collections", "changed_at"],
        ["token_transactions", "number"],
      ] as const) {
        await db.schema
          .alterTable(table)
          .addColumn(column, "bigint", (added) => added.notNull().defaultTo(0))
          .execute();
      }
      await sql`update chain set collection_count = (select count(*) from collections)`.execute(db);
      await sql`
        update token_transactions set number = numbered.number
        from (
          select sequence, row_number() over (partition by collection_addr, token_id order by sequence) as number,
            collection_addr, token_id
          from token_transactions
        ) as numbered
        where numbered.collection_addr = token_transactions.collection_addr
          and numbered.token_id = token_transactions.token_id
          and numbered.sequence = token_transactions.sequence`.execute(db);
    },
  };
}
