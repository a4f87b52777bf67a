import pg from "pg";
import { expect, it } from "vitest";
import { startPostgres } from "@vipscore/testkit/startPostgres";
import { createApi } from "../../src/api/createApi.ts";
import { openStore } from "../../src/store/openStore.ts";
import { createDatabase } from "../postgres/createDatabase.ts";
import { address, apply, block, collection } from "../store/blocks.ts";
import { openNew } from "../store/databases.ts";
import { nft } from "./sample.ts";

const paths = ["/status", `${nft}/collections`, `${nft}/tokens/by_account/aa`, `${nft}/collections/c1`];

async function expectAway(api: ReturnType<typeof createApi>, path: string): Promise<void> {
  const response = await api.request(path);
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
    503,
    "5",
    "Service Unavailable",
  ]);
}

it("answers 503 with Retry-After while the database is down", async () => {
  const server = await startPostgres();
  let isRunning = true;
  const store = await openStore(await server.createDatabase("away"));
  try {
    await apply(store, block(1, collection(address("c1"))));
    const errors: unknown[] = [];
    const api = createApi({ store, onError: (error) => errors.push(error) });
    expect((await api.request("/status")).status).toBe(200);
    await server.stop();
    isRunning = false;
    for (const path of paths) await expectAway(api, path);
    expect(errors).toHaveLength(paths.length);
  } finally {
    await store.close();
    if (isRunning) await server.stop();
  }
});

it("answers 503 when the database does not answer in 8 s", async () => {
  const database = await createDatabase();
  const store = await openNew(async () => database);
  await apply(store, block(1, collection(address("c1"))));
  const api = createApi({ store, onError: () => undefined });
  const other = new pg.Client({ connectionString: database });
  await other.connect();
  try {
    await other.query("begin");
    await other.query("lock table collections in access exclusive mode");
    await expectAway(api, `${nft}/collections/c1`);
    expect((await api.request("/status")).status).toBe(200);
  } finally {
    await other.end();
  }
  expect((await api.request(`${nft}/collections/c1`)).status).toBe(200);
});
