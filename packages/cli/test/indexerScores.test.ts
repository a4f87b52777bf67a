import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAccount, type Vm } from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import { vms } from "@vipscore/core/values";
import { isLong } from "@vipscore/testkit/isLong";
import { until } from "@vipscore/testkit/until";
import { deployReference } from "./deployReference.ts";
import { addressOf, openTestFolder, startNode, startTestChain, type TestFolder } from "./harness.ts";
import { read, serving, type Json } from "./servingIndexer.ts";

const rowCount = isLong ? 20_000 : 300;

/** Rows of a score file, with ties and without 0, which a push leaves out. */
const rowsOf = (count: number, step: number): readonly (readonly [string, number])[] =>
  Array.from(
    { length: count },
    (_, row) => [addressOf(0xabc000 + row), 1 + ((row * step) % Math.ceil(count / 3))] as const,
  );

const csvOf = (rows: readonly (readonly [string, number])[]) =>
  `address,score\n${rows.map((row) => row.join(",")).join("\n")}\n`;

/** Waits until the indexer has a finalized stage, and compares all that it serves of it with the stage's export. */
async function expectServed(folder: TestFolder, url: string, stage: number, on: readonly string[] = []): Promise<void> {
  const served = await until(`stage ${stage}`, async () => {
    const found = await read(url, `stages/${stage}`);
    return found?.["is_finalized"] === true ? found : undefined;
  });
  const exported = await folder.cli(["export", "--stage", String(stage), ...on]);
  const rows = exported.stdout.trim().split("\n").slice(1);
  const parsed = rows
    .map((line) => line.split(","))
    .map(([account = "", score = ""]) => [parseAccount(account, { accountBytes: [20, 32] }), BigInt(score)] as const);
  const sorted = parsed.toSorted(([a, one], [b, other]) => (one === other ? (a > b ? -1 : 1) : one > other ? -1 : 1));
  const total = sorted.reduce((sum, [, score]) => sum + score, 0n);
  expect(served).toMatchObject({
    accounts: sorted.length,
    total: String(total),
    digest: digestScores(new Map(parsed)),
  });
  const found: Json[] = [];
  for (let key = ""; ;) {
    const page = await read(url, `stages/${stage}/accounts?pagination.limit=1000${key}`);
    const { accounts, pagination } = page as {
      readonly accounts: readonly Json[];
      readonly pagination: { readonly next_key: string | null };
    };
    found.push(...accounts);
    const { next_key: next } = pagination;
    if (next === null) break;
    key = `&pagination.key=${encodeURIComponent(next)}`;
  }
  let rank = 0;
  const expected = sorted.map(([account, score], at) => {
    if (sorted[at - 1]?.[1] !== score) rank = at + 1;
    return { account, score: String(score), rank };
  });
  expect(found.map(({ account, score, rank: place }) => ({ account, score, rank: place }))).toEqual(expected);
}

describe.each(vms)("%s", (vm: Vm) => {
  let folder: TestFolder;
  beforeAll(async () => {
    folder = await openTestFolder(await startNode(vm));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test("the stages of a contract are served while they are pushed, as export shows them", async () => {
    const address = await folder.deploy(1);
    await folder.write("one.csv", csvOf(rowsOf(rowCount, 7)));
    await folder.write("two.csv", csvOf(rowsOf(rowCount, 11)));
    const result = await serving(folder, ["--scores", "--no-nfts"], async (url) => {
      await until("the open stage", () => read(url, "stages/1"));
      await folder.ok(["push", "one.csv", "--stage", "1"]);
      await until("its rows", async () => (await read(url, "stages/1"))?.["accounts"] === rowCount);
      await folder.ok(["finalize", "--stage", "1", "--file", "one.csv", "--yes"]);
      await expectServed(folder, url, 1);
      await folder.ok(["push", "two.csv", "--stage", "2", "--packed"]);
      // Some change by events.
      await folder.write("two.csv", csvOf(rowsOf(rowCount, 11).map((row, at) => (at < 9 ? [row[0], 9] : row))));
      await folder.ok(["push", "two.csv", "--stage", "2"]);
      await folder.ok(["finalize", "--stage", "2", "--file", "two.csv", "--yes"]);
      await expectServed(folder, url, 2);
      const status = (await (await fetch(`${url}/status`)).json()) as Json;
      expect(status).toMatchObject({ scores: { differences: 0 } });
      const next = await until("the next stage", () => read(url, "stages/3"));
      expect(next).toMatchObject({ contract: { vm, address }, accounts: 0, is_finalized: false });
      expect((await fetch(`${url}/indexer/nft/v1/collections`)).status).toBe(404);
    });
    expect(result.status).toBe(0);
    // The same database without a follower, and with the contract named.
    await serving(folder, ["--api-only"], (url) => expectServed(folder, url, 2));
    await serving(folder, ["--scores", address], (url) => expectServed(folder, url, 1));
  });
});

test("a reference contract, named beside NFTs, is followed, and another one is refused its database", async () => {
  await using chain = await startTestChain();
  const address = await deployReference(chain.node.rpcUrl);
  const on = ["--contract", address];
  await chain.write("one.csv", csvOf(rowsOf(40, 7)));
  await serving(chain, ["--scores", address], async (url) => {
    await chain.ok(["push", "one.csv", "--stage", "1", ...on]);
    await until("its rows", async () => (await read(url, "stages/1"))?.["accounts"] === 40);
    expect(await read(url, "stages/1")).toMatchObject({ revision: null, is_finalized: false });
    await chain.ok(["finalize", "--stage", "1", "--file", "one.csv", "--yes", ...on]);
    await expectServed(chain, url, 1, on);
    expect((await fetch(`${url}/indexer/nft/v1/collections`)).status).toBe(200);
  });
  await chain.deploy(1);
  const refused = await chain.cli(["indexer", "--scores", "--no-nfts", "--port", "0", "--json"]);
  expect(refused.json()).toMatchObject({ error: { code: "CONFIG_INVALID" } });
});

test("without NFTs and scores there is nothing to index", async () => {
  await using folder = await startTestChain();
  const result = await folder.cli(["indexer", "--no-nfts", "--json"]);
  expect(result.json()).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  const missing = await folder.cli(["indexer", "--scores", "--json", "--port", "0"]);
  expect(missing.status).toBe(2);
});
