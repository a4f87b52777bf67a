import { expect, test } from "vitest";
import { ScoreTable, stage, type Account, type ScoreRow } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { readRows } from "./moduleViews.ts";
import { parseModuleAddress } from "./moveAddress.ts";

const path = "/initia/move/v1/view/batch";
const address = parseModuleAddress("0xc5ea55d90ae84e307622f1b8b13535ec3eff0475");

/** The answer to one view for each list of rows. */
function pages(...lists: readonly unknown[]): ScriptedAnswer {
  return { body: { responses: lists.map((scores) => ({ data: JSON.stringify({ stage: "2", scores }) })) } };
}

/** The arguments of each view that a request asks for. */
function viewsOf({ body }: { readonly body: string }) {
  return (JSON.parse(body) as { requests: readonly { args: readonly string[] }[] }).requests.map(({ args }) => args);
}

/** Rows of the view from an account on, in descending order. */
function rowsFrom(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ addr: `0x${(from - index).toString(16)}`, score: "7" }));
}

function read(url: string, count: bigint, table?: ScoreTable): AsyncIterable<readonly ScoreRow[]> {
  return readRows({ rest: openRest(url), address }, stage(2n), { height: 9n, count, table });
}

async function readAll(...of: Parameters<typeof read>): Promise<readonly ScoreRow[]> {
  const rows: ScoreRow[] = [];
  for await (const found of read(...of)) rows.push(...found);
  return rows;
}

test("the view is read from page to page at one height, until the stage's count is there", async () => {
  const { url, requests } = await script({ [path]: [pages(rowsFrom(5000, 1000)), pages(rowsFrom(4000, 3))] });
  const rows = await readAll(url, 1003n);
  expect(rows).toHaveLength(1003);
  expect(rows.at(-1)).toEqual({ account: `0x${(3998).toString(16).padStart(40, "0")}`, score: 7n });
  expect(requests.map(({ headers }) => headers["x-cosmos-block-height"])).toEqual(["9", "9"]);
  const args = requests.flatMap(viewsOf);
  expect(args[0]).toEqual(["AgAAAAAAAAA=", "6AM=", "AA=="]);
  // After the last address of the page before: 5000 - 999.
  const after = Buffer.concat([Buffer.of(1), Buffer.alloc(30), Buffer.of(0x0f, 0xa1)]);
  expect(args[1]).toEqual(["AgAAAAAAAAA=", "6AM=", after.toString("base64")]);
});

test("the pages of a stage that is as expected, with accounts of 20 and 32 bytes, are read in one request", async () => {
  const long = Array.from({ length: 1_200 }, (_, n) => `0x${(0x1000 + n).toString(16)}${"0".repeat(60)}`);
  const short = Array.from({ length: 1_500 }, (_, n) => `0xff${n.toString(16).padStart(38, "0")}`);
  const value = (account: string) => BigInt(account);
  const accounts = [...long, ...short].sort((a, b) => (value(a) < value(b) ? 1 : -1));
  const { url, requests } = await script((request) => {
    const lists = viewsOf(request).map(([, , after = ""]) => {
      const last = BigInt(`0x0${Buffer.from(after, "base64").subarray(1).toString("hex")}`);
      const first = after === "AA==" ? 0 : accounts.findIndex((account) => value(account) < last);
      return accounts.slice(first, first + 1000).map((addr) => ({ addr, score: "7" }));
    });
    return pages(...lists);
  });
  const table = ScoreTable.from(accounts.toReversed().map((account) => ({ account: account as Account, score: 7n })));
  expect((await readAll(url, 2_700n, table)).map(({ account }) => account)).toEqual(accounts);
  expect(requests.map((request) => viewsOf(request).length)).toEqual([3]);
});

test("a page that is unreadable is read again", async () => {
  const answers = [
    { body: { responses: [{ data: "{" }] } },
    pages(),
    pages(null),
    pages([{ addr: "0x5", score: 7 }]),
    pages(rowsFrom(9, 3)),
    pages(rowsFrom(9, 2)),
  ];
  const { url, requests } = await script({ [path]: answers });
  expect(await readAll(url, 2n)).toHaveLength(2);
  expect(requests).toHaveLength(answers.length);
});

test("a page that fails is reported after the rows before it", async () => {
  const { url } = await script({ [path]: [pages(rowsFrom(9, 2)), refusal("failed to load state at height 9")] });
  const found = read(url, 3n)[Symbol.asyncIterator]();
  expect((await found.next()).value).toHaveLength(2);
  await expect(found.next()).rejects.toMatchObject({ code: "NODE_ERROR" });
});
