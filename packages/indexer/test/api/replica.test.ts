import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { query, startReplicatedPostgres, type ReplicatedPostgres } from "@vipscore/testkit/startPostgres";
import { createApi, startApi, startIndexer } from "../../src/index.ts";
import { openStoreToRead } from "../../src/store/openStore.ts";
import { minter, Wallet } from "../evm/wallet.ts";
import { address, apply, block, collection } from "../store/blocks.ts";
import { openNew } from "../store/databases.ts";
import { nft } from "./sample.ts";

let postgres: ReplicatedPostgres;
let node: LocalNode;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  node = await startHardhat();
});
afterAll(async () => {
  await node.stop();
  await postgres.stop();
});

let database: string;
let databases = 0;
beforeEach(async () => {
  database = await postgres.createDatabase(`replicated${(databases += 1)}`);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Deploys a collection; each call of `mint` is a block with a token. */
async function deployCollection() {
  const contract = await new Wallet(node.rpcUrl).deploy(await readDemoNft(), "Cats", "CAT");
  return { address: contract.address, mint: async () => (await contract.send("mint", [minter.address])).height };
}

async function startFollower() {
  const follower = await startIndexer({ source: { jsonRpcUrl: node.rpcUrl }, database, listings: false, pollMs: 20 });
  onTestFinished(follower.stop);
  return follower;
}

/** Starts the APIs of the database and of its replica. */
async function startApis(maxLag?: number) {
  await postgres.untilReplayed();
  const urls = [database, postgres.onStandby(database)];
  const [primary, replica] = await Promise.all(
    urls.map(async (url) => {
      const api = await startApi({ database: url, maxLag });
      onTestFinished(api.stop);
      return api.url;
    }),
  );
  return [primary!, replica!] as const;
}

interface Status {
  readonly height: number;
  readonly lag: number;
  readonly seen_at: string;
}

async function statusOf(url: string): Promise<Status> {
  return (await (await fetch(`${url}/status`)).json()) as Status;
}

async function untilHeight(url: string, height: number): Promise<void> {
  await expect.poll(async () => (await statusOf(url)).height).toBeGreaterThanOrEqual(height);
}

test("a replica answers as the database once it has replayed it", async () => {
  const cats = await deployCollection();
  const follower = await startFollower();
  await cats.mint();
  await untilHeight(follower.url, await cats.mint());
  await expect.poll(async () => (await statusOf(follower.url)).lag).toBe(0);
  // Otherwise it writes when it last looked between the answers.
  await follower.stop();

  const [primary, replica] = await startApis();
  const paths = [
    "/status",
    "/readyz",
    `${nft}/collections`,
    `${nft}/collections/by_account/${minter.address}`,
    `${nft}/tokens/by_collection/${cats.address}`,
    `${nft}/tokens/by_account/${minter.address}?pagination.offset=1`,
    `${nft}/txs/${cats.address}/1`,
  ];
  for (const path of paths) {
    const [ofDatabase, ofReplica] = await Promise.all([fetch(primary + path), fetch(replica + path)]);
    expect([path, ofReplica.status, await ofReplica.text()]).toEqual([path, 200, await ofDatabase.text()]);
  }
});

test("a replica that stops replaying shows since when, and is not ready a minute later", async () => {
  const cats = await deployCollection();
  const follower = await startFollower();
  await untilHeight(follower.url, await cats.mint());
  const [primary, replica] = await startApis(10);
  const standby = postgres.onStandby(database);
  await query(standby, "select pg_wal_replay_pause()");
  onTestFinished(async () => {
    await query(standby, "select pg_wal_replay_resume()");
  });
  await expect
    .poll(() => query(standby, "select pg_get_wal_replay_pause_state() as state"))
    .toEqual([{ state: "paused" }]);
  const stopped = await statusOf(replica);

  const height = await cats.mint();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  const inAMinute = new Date().toISOString();
  await untilHeight(primary, height);
  await expect.poll(async () => (await statusOf(primary)).seen_at >= inAMinute).toBe(true);
  expect(await statusOf(replica)).toEqual(stopped);
  expect(stopped.height).toBeLessThan(height);
  for (const path of ["/readyz", `${nft}/collections`]) {
    expect((await fetch(primary + path)).status).toBe(200);
    const behind = await fetch(replica + path);
    expect([behind.status, behind.headers.get("retry-after")]).toEqual([503, "10"]);
  }

  await query(standby, "select pg_wal_replay_resume()");
  await untilHeight(replica, height);
  await expect.poll(async () => (await fetch(`${replica}/readyz`)).status).toBe(200);
});

test("a replica that cancels a read because of what it replays leads to 503 with Retry-After", async () => {
  const primary = await openNew(async () => database);
  await apply(primary, block(1, collection(address("c1"))));
  await postgres.untilReplayed();
  const standby = postgres.onStandby(database);
  const store = await openStoreToRead(standby);
  onTestFinished(() => store.close());
  const api = createApi({ store, onError: () => undefined });
  // A read that takes longer than the test.
  await query(database, "alter table collections rename to kept");
  await query(database, "create view collections as select kept.* from kept, (select pg_sleep(3600)) as sleeping");
  await query(database, "create table vacuumed as select 1 as one");
  await postgres.untilReplayed();
  const reads = Promise.allSettled([store.readCollection(address("c1")), api.request(`${nft}/collections/c1`)]);
  const sleeping = "select count(*)::int as count from pg_stat_activity where wait_event = 'PgSleep'";
  await expect.poll(() => query(standby, sleeping)).toEqual([{ count: 2 }]);

  await query(database, "delete from vacuumed");
  await query(database, "vacuum vacuumed");
  const [read, answer] = await reads;
  // PostgreSQL's serialization_failure.
  expect(read).toMatchObject({ reason: { code: "DATABASE_UNREACHABLE", cause: { code: "40001" } } });
  expect(answer).toMatchObject({ value: { status: 503 } });
  expect(answer.status === "fulfilled" && answer.value.headers.get("retry-after")).toBe("5");
  expect((await api.request("/status")).status).toBe(200);
});
