import { describe, expect, onTestFinished, test } from "vitest";
import { formatBech32, formatChecksummed, stage as toStage, u64Max, type Account } from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { createApi, type Api } from "../../src/api/createApi.ts";
import { ScoreIndex } from "../../src/api/scoreIndex.ts";
import { openStore, openStoreToRead, type Store } from "../../src/store/openStore.ts";
import { StageRows } from "../../src/store/scores/stageRows.ts";
import { databases, openNew } from "../store/databases.ts";
import { rankedRows } from "./followingScores.ts";
import { playedAccount } from "./playedScores.ts";

const contract = { vm: "move", chainId: "played-1", address: "0xc0de" } as const;
const random = seededRandom(fuzzSeed());
const scores = "/scores/v1";

type Rows = ReadonlyMap<Account, bigint>;
type Json = Readonly<Record<string, unknown>>;

/** Scores with ties. */
const someRows = (count: number): Rows =>
  new Map(
    Array.from({ length: count }, (_, at) => [playedAccount(at + 1), BigInt(random.below(Math.ceil(count / 3)))]),
  );

/** Stores the rows of a stage: all of them, or what is added to them. */
async function write(
  store: Store,
  stage: number,
  rows: Rows,
  { height = 1, added = undefined as Rows | undefined, isFinalized = false } = {},
) {
  const all = StageRows.from(new Map([...rows, ...(added ?? [])]));
  const digest = isFinalized ? digestScores(rows) : undefined;
  const state = {
    total: all.total(),
    accounts: all.size,
    revision: BigInt(height),
    isFinalized,
    digest,
    differences: 0,
  };
  const change = { ...state, stage: toStage(stage), rows: all, added: added && StageRows.from(added) };
  await store.scores.apply([change], { height, blockHash: `b${height}` });
}

async function openScores(create: () => Promise<string>): Promise<Store> {
  const store = await openNew(create);
  await store.scores.begin(contract);
  return store;
}

async function read(api: Api, path: string): Promise<Json> {
  const response = await api.request(`${scores}/${path}`);
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text) as Json;
}

/** Reads all pages of a listing; by keys, or by offsets. */
async function walk(api: Api, path: string, limit: number, by: "key" | "offset"): Promise<readonly Json[]> {
  const found: Json[] = [];
  let place = "";
  for (;;) {
    const { accounts, pagination } = (await read(api, `${path}&pagination.limit=${limit}${place}`)) as {
      readonly accounts: readonly Json[];
      readonly pagination: { readonly previous_key: null; readonly next_key: string | null };
    };
    found.push(...accounts);
    expect(accounts.length <= limit && pagination.previous_key === null).toBe(true);
    const next = pagination.next_key;
    if (next === null) return found;
    place = by === "key" ? `&pagination.key=${encodeURIComponent(next)}` : `&pagination.offset=${found.length}`;
  }
}

describe.each(databases)("%s", (_name, create) => {
  test("stages are listed, the newest first", async () => {
    const store = await openNew(create);
    const api = createApi({ store });
    expect(await read(api, "stages")).toEqual({ stages: [] });
    await store.scores.begin(contract);
    const identity = { vm: "move", chain_id: "played-1", address: "0xc0de" };
    expect(await read(api, "stages")).toEqual({ contract: identity, stages: [] });
    const rows = new Map([[playedAccount(1), u64Max]]);
    await write(store, 1, rows, { height: 5, isFinalized: true });
    await write(store, 2, new Map(), { height: 6 });
    const first = {
      stage: "1",
      total: String(u64Max),
      accounts: 1,
      is_finalized: true,
      revision: "5",
      digest: digestScores(rows),
      height: 5,
    };
    const second = { stage: "2", total: "0", accounts: 0, is_finalized: false, revision: "6", digest: null, height: 6 };
    expect(await read(api, "stages")).toEqual({ contract: identity, stages: [second, first] });
    expect(await read(api, "stages/1")).toEqual({ contract: identity, ...first, root: null, l1: null });
    expect(await read(api, "stages/2/accounts")).toMatchObject({
      accounts: [],
      pagination: { next_key: null, total: "0" },
    });
  });

  test("pages by score and by account have every row once, in both directions, by keys and offsets", async () => {
    const store = await openScores(create);
    const rows = someRows(60);
    await write(store, 1, rows);
    const api = createApi({ store });
    const total = [...rows.values()].reduce((sum, score) => sum + score, 0n);
    const ranked = rankedRows(rows).map((row) => ({ ...row, share: Number(row.score) / Number(total) }));
    const byAccount = ranked.toSorted((one, other) => (BigInt(one.account) > BigInt(other.account) ? -1 : 1));
    for (const [orderBy, expected] of [["score", ranked] as const, ["account", byAccount] as const]) {
      for (const reverse of [true, false]) {
        const path = `stages/1/accounts?order_by=${orderBy}&pagination.reverse=${reverse}`;
        for (const by of ["key", "offset"] as const) {
          for (const limit of [1, 7, 60, 100])
            expect(await walk(api, path, limit, by)).toEqual(reverse ? expected : expected.toReversed());
        }
      }
    }
    expect(await read(api, "stages/1/accounts?pagination.limit=3")).toMatchObject({
      accounts: ranked.slice(0, 3),
      pagination: { total: "60" },
    });
    expect((await read(api, "stages/1/accounts?pagination.offset=9223372036854775807"))["accounts"]).toEqual([]);
  });

  test("keys neither repeat nor skip rows that stay, when others move between two pages", async () => {
    const store = await openScores(create);
    const rows = new Map([1, 2, 3, 4, 5, 6].map((at) => [playedAccount(at), BigInt(10 * at)]));
    await write(store, 1, rows);
    const api = createApi({ store });
    const { accounts: first, pagination } = (await read(api, "stages/1/accounts?pagination.limit=3")) as {
      readonly accounts: readonly Json[];
      readonly pagination: Json;
    };
    expect(first.map((row) => row["score"])).toEqual(["60", "50", "40"]);
    // The key's row falls, and another one passes it.
    await write(store, 1, rows, {
      height: 2,
      added: new Map([
        [playedAccount(4), 5n],
        [playedAccount(1), 100n],
      ]),
    });
    const key = encodeURIComponent(String(pagination["next_key"]));
    const second = await read(api, `stages/1/accounts?pagination.limit=9&pagination.key=${key}`);
    expect(second["accounts"]).toMatchObject([
      { score: "30", rank: 4 },
      { score: "20", rank: 5 },
      { score: "5", rank: 6 },
    ]);
  });

  test("an account has its rank and its neighbors, also at both ends, in any spelling", async () => {
    const store = await openScores(create);
    const rows = someRows(20);
    await write(store, 1, rows);
    await write(store, 2, new Map());
    await write(store, 3, new Map([[playedAccount(2), 7n]]));
    const api = createApi({ store });
    const ranked = rankedRows(rows);
    for (const [at, row] of ranked.entries()) {
      const { account } = row;
      const expected = {
        ...row,
        above: ranked.slice(Math.max(0, at - 2), at),
        below: ranked.slice(at + 1, at + 3),
        stage: { stage: "1", accounts: 20 },
      };
      const zeros = account.replace("0x", "0x00");
      for (const spelled of [account, formatBech32(account), account.slice(2), formatChecksummed(account), zeros])
        expect(await read(api, `stages/1/accounts/${spelled}`)).toMatchObject(expected);
    }
    const [, two] = [1, 2].map(playedAccount);
    const inStages = await read(api, `accounts/${two}`);
    expect(inStages).toMatchObject({
      account: two,
      stages: [{ stage: "3", score: "7", rank: 1, share: 1, accounts: 1 }, { stage: "1" }],
    });
    const unknown = playedAccount(99);
    expect(await read(api, `stages/1/accounts/${unknown}`)).toMatchObject({
      account: unknown,
      score: "0",
      rank: null,
      share: 0,
      above: [],
      below: [],
    });
    expect(await read(api, `accounts/${unknown}`)).toEqual({ account: unknown, stages: [] });
  });

  test.each([
    ["stages/9", 404, "stage not found"],
    ["stages/9/accounts", 404, "stage not found"],
    [`stages/9/accounts/${playedAccount(1)}`, 404, "stage not found"],
    [`stages/${u64Max}`, 404, "stage not found"],
    ["stages/0", 400, "integer from 1"],
    ["stages/-1", 400, "integer from 1"],
    ["stages/1e3", 400, "integer from 1"],
    [`stages/${u64Max + 1n}/accounts`, 400, "integer from 1"],
    ["stages/1/accounts?order_by=rank", 400, "order_by"],
    ["stages/1/accounts?pagination.limit=0", 400, "pagination.limit"],
    ["stages/1/accounts?pagination.key=%21", 400, "base64"],
    [`stages/1/accounts?pagination.key=${keyOf({})}`, 400, "pagination.key"],
    [`stages/1/accounts?pagination.key=${keyOf({ account: "0xa1", score: 5 })}`, 400, "pagination.key"],
    [`stages/1/accounts?pagination.key=${keyOf({ account: "0xa1", score: "-5" })}`, 400, "pagination.key"],
    [`stages/1/accounts?pagination.key=${keyOf({ account: 1, score: "5" })}`, 400, "pagination.key"],
    [`stages/1/accounts?pagination.key=${keyOf({ account: "xyz", score: "5" })}`, 400, "account"],
    ["stages/1/accounts/xyz", 400, "account"],
    ["accounts/xyz", 400, "account"],
  ])("%s: %i", async (path, status, text) => {
    const store = await openScores(create);
    await write(store, 1, someRows(3));
    const response = await createApi({ store }).request(`${scores}/${path}`);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  test("an answer that has not changed is 304, and a change is seen at once by every process", async () => {
    const database = await create();
    const store = await openStore(database);
    onTestFinished(() => store.close());
    await store.scores.begin(contract);
    let rows: Rows = someRows(9);
    await write(store, 1, rows);
    const other = await openStoreToRead(database);
    onTestFinished(() => other.close());
    const apis = [createApi({ store }), createApi({ store: other })];
    const path = `${scores}/stages/1/accounts`;
    let etag = "";
    for (let height = 2; height < 12; height += 1) {
      // Now and then all rows of the stage are written again.
      const added = new Map([[playedAccount(random.below(12)), BigInt(1000 + height)]]);
      const all = new Map([...rows, ...added]);
      if (height % 4 === 0) await write(store, 1, all, { height });
      else await write(store, 1, rows, { height, added });
      rows = all;
      const tags = await Promise.all(
        apis.map(async (api) => {
          const fresh = await api.request(path, { headers: { "if-none-match": etag } });
          expect(fresh.status).toBe(200);
          expect(((await fresh.json()) as Json)["accounts"]).toMatchObject(rankedRows(rows));
          const tag = fresh.headers.get("etag") ?? "";
          const same = await api.request(path, { headers: { "if-none-match": tag } });
          expect([same.status, await same.text()]).toEqual([304, ""]);
          return tag;
        }),
      );
      expect(new Set(tags).size).toBe(1);
      etag = tags[0] ?? "";
    }
  });

  test("the least recently used stages leave the memory first", async () => {
    const store = await openScores(create);
    for (const stage of [1, 2, 3, 4]) await write(store, stage, someRows(9), { height: stage });
    const loaded: number[] = [];
    const readRows: Store["scores"]["readRows"] = (stage, known) => {
      loaded.push(Number(stage.stage));
      return store.scores.readRows(stage, known);
    };
    const index = new ScoreIndex({ ...store.scores, readRows }, 20);
    for (const stage of [1, 2, 1, 3, 1, 2, 1, 4]) expect((await index.open(toStage(stage)))?.rows.size).toBe(9);
    expect(loaded).toEqual([1, 2, 3, 2, 4]);
    // One that is too large alone stays while it is the last.
    await write(store, 4, someRows(30), { height: 9 });
    for (const stage of [4, 4, 1, 4]) await index.open(toStage(stage));
    expect(loaded).toEqual([1, 2, 3, 2, 4, 4, 1, 4]);
    // Requests at the same time read it once.
    loaded.length = 0;
    await Promise.all([2, 2, 2].map((stage) => index.open(toStage(stage))));
    expect(loaded).toEqual([2]);
  });
});

function keyOf(key: object): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(key)).toString("base64"));
}
