import { expect, test } from "vitest";
import { IndexerBadRequestError, IndexerNotFoundError, openIndexer } from "@vipscore/indexer-client";
import { getAccount, getAccountStages, getStage, getStages, listAccounts } from "@vipscore/indexer-client/scores";
import { started } from "@vipscore/testkit/started";
import { createApi } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { openStore } from "../../src/store/openStore.ts";
import { address } from "../store/blocks.ts";
import { scoreStage } from "./scoreStage.ts";

const size = 1_003;
/** Account n has the score n, and the last one more than a number of JSON can hold. */
const rows = Array.from({ length: size }, (_, index) => [address((index + 1).toString(16)), index + 1] as const);
const largest = 2n ** 53n + 1n;

const served = started(async () => {
  const store = await openStore(":memory:");
  await scoreStage(store, { number: 4, height: 7, isFinalized: true }, rows);
  await scoreStage(store, { number: 5, height: 9 }, [[address("1"), largest]]);
  const server = await serveApi({ api: createApi({ store }), host: "127.0.0.1", port: 0 });
  const dispose = async () => {
    await server.close();
    await store.close();
  };
  return { indexer: openIndexer(server.url), [Symbol.asyncDispose]: dispose };
});

test("the client reads stages, one account and all of its stages", async () => {
  const { indexer } = served;
  const stages = await getStages(indexer);
  expect(stages.map(({ stage, accounts, is_finalized }) => [stage, accounts, is_finalized])).toEqual([
    ["5", 1, false],
    ["4", size, true],
  ]);
  expect(await getStage(indexer, 5n)).toMatchObject({ total: String(largest), revision: "1", digest: null, height: 9 });
  const { score, rank, share, above, below, stage } = await getAccount(indexer, 4, "0x3eb");
  expect({ score, rank, share }).toEqual({ score: "1003", rank: 1, share: 1_003 / ((size * (size + 1)) / 2) });
  expect([above, below.map((row) => row.rank), stage.stage]).toEqual([[], [2, 3], "4"]);
  expect(await getAccount(indexer, 4, "0xffff")).toMatchObject({ score: "0", rank: null, above: [], below: [] });
  const ofAccount = await getAccountStages(indexer, address("1"));
  expect(ofAccount.map((each) => [each.stage, each.score, each.rank])).toEqual([
    ["5", String(largest), 1],
    ["4", "1", size],
  ]);
});

test.each([
  [{}, (index: number) => size - index],
  [{ orderBy: "account", reverse: false }, (index: number) => index + 1],
] as const)("a walk in the order %o has every account once", async (options, scoreOf) => {
  const scores: number[] = [];
  for await (const { items } of listAccounts(served.indexer, 4n, options).pages({ limit: 100 }))
    scores.push(...items.map(({ score }) => Number(score)));
  expect(scores).toEqual(Array.from({ length: size }, (_, index) => scoreOf(index)));
});

test("a stage that does not exist, and what is not a stage, are refused", async () => {
  const { indexer } = served;
  await expect(getStage(indexer, 6)).rejects.toThrow(IndexerNotFoundError);
  await expect(getAccount(indexer, 6, "0xaa")).rejects.toThrow(IndexerNotFoundError);
  await expect(getStage(indexer, "x")).rejects.toThrow(IndexerBadRequestError);
  await expect(getAccount(indexer, 4, "0xzz")).rejects.toThrow(IndexerBadRequestError);
  await expect(async () => getAccount(indexer, 4, "")).rejects.toThrow(RangeError);
  await expect(async () => getStage(indexer, 2 ** 53)).rejects.toThrow(RangeError);
  const aborted = AbortSignal.abort("enough");
  await expect(getStages(indexer, { signal: aborted })).rejects.toBe("enough");
});
