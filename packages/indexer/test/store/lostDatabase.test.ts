import pg from "pg";
import { expect, it } from "vitest";
import { openStore } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection, mint } from "./blocks.ts";

it("reports that PostgreSQL was lost in the middle of a transaction, applies nothing, and continues once it is back", async () => {
  const url = await createDatabase();
  const store = await openStore(url);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await apply(store, block(1, collection(address("c1"))));
    await other.query("begin");
    await other.query("select * from chain for update");
    const applied = apply(store, block(2, mint(address("c1"), "1", address("a1"))));
    const failure = applied.catch((error: unknown) => error);
    // The transaction waits for the row; another connection terminates its connection.
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await other.query(end)).rowCount).toBeGreaterThan(0);
    expect(await failure).toMatchObject({ code: "DATABASE_UNREACHABLE" });
    await other.query("commit");
    expect(await store.readChain()).toMatchObject({ height: 1 });
    await apply(store, block(2, mint(address("c1"), "1", address("a1"))));
    expect(await store.countTokens({ owner: address("a1") })).toBe(1);
  } finally {
    await other.end();
    await store.close();
  }
});
