import { expect, test } from "vitest";
import { stage, type ScoreRow } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { readTableRows, readViewRows } from "./moduleViews.ts";
import { parseModuleAddress } from "./moveAddress.ts";

const handle = "e8bbb3a5e32010027c317ca126041504f3af8d810dc06a54cad3d9fdaaba1634";
const path = `/initia/move/v1/tables/0x${handle}/entries`;
const address = parseModuleAddress("0xc5ea55d90ae84e307622f1b8b13535ec3eff0475");

/** The first rows of a table of scores, recorded on minimove (movevm v1.2.0), with the key of the next page. */
const recorded = {
  body: {
    table_entries: [
      {
        key: '"0xabcdef01c17ce1427f4a7c15f39cc0605cedc835"',
        value: '"1000"',
        key_bytes: "AAAAAAAAAAAAAAAAq83vAcF84UJ/SnwV85zAYFztyDU=",
        value_bytes: "6AMAAAAAAAA=",
      },
      {
        key: '"0xabcdef025fb45afbfe94f82be73980c0b9db906a"',
        value: '"1001"',
        key_bytes: "AAAAAAAAAAAAAAAAq83vAl+0Wvv+lPgr5zmAwLnbkGo=",
        value_bytes: "6QMAAAAAAAA=",
      },
    ],
    pagination: { next_key: "AAAAAAAAAAAAAAAAq83vA5wjTm79KfBXznMBgXO3INQ=", total: "0" },
  },
} satisfies ScriptedAnswer;
const last = {
  body: {
    table_entries: [{ key_bytes: Buffer.alloc(32, 0xfe).toString("base64"), value_bytes: "//////////8=" }],
    pagination: { next_key: null, total: "0" },
  },
} satisfies ScriptedAnswer;

async function collect(pages: AsyncIterable<readonly ScoreRow[]>): Promise<readonly ScoreRow[]> {
  const rows: ScoreRow[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

test("reading stops if a node repeats a next key", async () => {
  const { url, requests } = await script({ [path]: [recorded] });
  await expect(collect(readTableRows(openRest(url), handle, { height: 9n }))).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringContaining("pagination.next_key") as unknown,
  });
  // The first page once; the second one repeatedly, because it is unreadable.
  const keys = requests.map(({ query }) => query.get("pagination.key"));
  expect(keys.filter((key) => key === null)).toHaveLength(1);
  expect(new Set(keys)).toEqual(new Set([null, recorded.body.pagination.next_key]));
});

test("a table is read to its end at one height", async () => {
  const { url, requests } = await script({ [path]: [recorded, last] });
  expect(await collect(readTableRows(openRest(url), handle, { height: 9n }))).toEqual([
    { account: "0xabcdef01c17ce1427f4a7c15f39cc0605cedc835", score: 1000n },
    { account: "0xabcdef025fb45afbfe94f82be73980c0b9db906a", score: 1001n },
    { account: `0x${"fe".repeat(32)}`, score: 2n ** 64n - 1n },
  ]);
  expect(requests.map(({ headers }) => headers["x-cosmos-block-height"])).toEqual(["9", "9"]);
  expect(requests.map(({ query }) => query.get("pagination.key"))).toEqual([
    null,
    "AAAAAAAAAAAAAAAAq83vA5wjTm79KfBXznMBgXO3INQ=",
  ]);
});

test("a page that is unreadable once is read again, and the next one once", async () => {
  const broken: ScriptedAnswer = { body: { ...recorded.body, table_entries: [{}] } };
  let isFirst = true;
  const { url, requests } = await script(({ query }) => {
    if (query.has("pagination.key")) return last;
    const answer = isFirst ? broken : recorded;
    isFirst = false;
    return answer;
  });
  expect(await collect(readTableRows(openRest(url), handle, { height: 9n }))).toHaveLength(3);
  // The request for the second page was in flight before the rows of the first were examined.
  const keys = requests.map(({ query }) => query.get("pagination.key"));
  expect(keys).toEqual([null, recorded.body.pagination.next_key, null]);
});

test("the next page is requested while one is read, and no more than one ahead", async () => {
  /** Pages of one row, each keyed by its number. */
  const page = (number: number): ScriptedAnswer => ({
    body: {
      table_entries: last.body.table_entries,
      pagination: { next_key: number < 5 ? String(number + 1) : null },
    },
  });
  const { url, requests } = await script(({ query }) => page(Number(query.get("pagination.key") ?? 1)));
  const pages = readTableRows(openRest(url), handle, { height: 9n });
  for (let number = 1; number <= 5; number += 1) {
    expect((await pages.next()).value).toHaveLength(1);
    await expect.poll(() => requests.length).toBe(Math.min(number + 1, 5));
  }
  expect(await pages.next()).toEqual({ done: true, value: undefined });
});

test("a page that fails is reported after the rows before it", async () => {
  const { url } = await script({ [path]: [recorded, refusal("failed to load state at height 9")] });
  const pages = readTableRows(openRest(url), handle, { height: 9n });
  expect((await pages.next()).value).toHaveLength(2);
  await expect(pages.next()).rejects.toMatchObject({ code: "NODE_ERROR" });
});

// All at the same time, because each is retried for seconds.
test("a malformed page is reported with its unreadable field", async () => {
  const key_bytes = Buffer.alloc(32).toString("base64");
  const cases: readonly (readonly [string, object])[] = [
    [" table_entries ", {}],
    [" table_entries[0] ", { table_entries: ["x"] }],
    [" table_entries[0] ", { table_entries: [{ key_bytes: "AAAA", value_bytes: "6AMAAAAAAAA=" }] }],
    [" table_entries[0] ", { table_entries: [{ key_bytes, value_bytes: "6AM=" }] }],
    [" pagination.next_key ", { table_entries: [], pagination: { next_key: 5 } }],
  ];
  const readings = cases.map(async ([place, body]) => {
    const { url } = await script({ [path]: [{ body }] });
    await expect(collect(readTableRows(openRest(url), handle, { height: 9n }))).rejects.toMatchObject({
      code: "NODE_BAD_RESPONSE",
      shortMessage: expect.stringContaining(place) as unknown,
    });
  });
  await Promise.all(readings);
});

test("a view whose value is unreadable once is read again", async () => {
  const page = (scores: unknown): ScriptedAnswer => ({ body: { data: JSON.stringify({ stage: "2", scores }) } });
  const answers = [{ body: { data: "{" } }, page(null), page([{ addr: "0x5", score: 7 }]), page([])];
  const { url, requests } = await script({ "/initia/move/v1/view": answers });
  expect(await collect(readViewRows({ rest: openRest(url), address }, stage(2n), { height: 9n }))).toEqual([]);
  expect(requests).toHaveLength(answers.length);
});

test("the view is read from page to page", async () => {
  const page = (count: number, from: number): ScriptedAnswer => {
    const scores = Array.from({ length: count }, (_, index) => ({
      addr: `0x${(from - index).toString(16)}`,
      score: "7",
    }));
    return { body: { data: JSON.stringify({ stage: "2", scores }) } };
  };
  const { url, requests } = await script({ "/initia/move/v1/view": [page(1000, 5000), page(3, 4000)] });
  const rows = await collect(readViewRows({ rest: openRest(url), address }, stage(2n), { height: 9n }));
  expect(rows).toHaveLength(1003);
  expect(rows.at(-1)).toEqual({ account: `0x${(3998).toString(16).padStart(40, "0")}`, score: 7n });
  const args = requests.map(({ body }) => (JSON.parse(body) as { args: readonly string[] }).args);
  expect(args[0]).toEqual(["AgAAAAAAAAA=", "6AM=", "AA=="]);
  // After the last address of the page before: 5000 - 999.
  const after = Buffer.concat([Buffer.of(1), Buffer.alloc(30), Buffer.of(0x0f, 0xa1)]);
  expect(args[1]).toEqual(["AgAAAAAAAAA=", "6AM=", after.toString("base64")]);
});
