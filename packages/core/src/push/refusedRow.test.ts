import { beforeEach, describe, expect, it, vi } from "vitest";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import type { Simulation } from "../scoreContract.ts";
import type { ScoreRow } from "../table/scoreTable.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { checkFirstBatch, lastingAnswer } from "./refusedRow.ts";
import { RowRefusedError } from "./rowRefusedError.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

describe("a contract that refuses a row", () => {
  let contract: ReturnType<typeof memoryContract>;
  const events: string[] = [];
  beforeEach(() => {
    contract = memoryContract();
    // Less than the model, so that no failure looks like too little gas.
    contract.realGas = { base: 900n, row: 80n };
    events.length = 0;
  });
  /** Pushes so many rows, in batches of 100, and returns the error. */
  const refused = async (rows: number): Promise<unknown> => {
    const plan = await planPush(contract, stageOne, tableOf(rows));
    const run = async () => {
      for await (const event of push(contract, plan)) events.push(event.type);
    };
    return run().catch((error: unknown) => error);
  };
  const sent = () => events.filter((type) => type === "sent").length;
  const holds = (row: number) => (call: { rows: readonly ScoreRow[] }) =>
    call.rows.some(({ account }) => account === accountOf(row));

  it.each([0, 37, 99])("costs nothing if it is row %i, of the first batch", async (row) => {
    contract.refuses = holds(row);
    const error = await refused(250);
    expect(error).toMatchObject({
      code: "ROW_REFUSED",
      shortMessage: expect.stringContaining(accountOf(row)) as string,
      metaMessages: [
        expect.stringMatching(new RegExp(`\\brow ${row + 1}\\b`)),
        expect.stringMatching(/^0\b.*\b250\b/),
        expect.any(String),
      ] as string[],
      refusal: {
        rows: [{ row: row + 1, account: accountOf(row), score: 1_000n + BigInt(row), current: undefined }],
        reason: "refused by the contract",
        rowsWritten: 0,
        rowsToWrite: 250,
      },
    });
    expect(error).toBeInstanceOf(RowRefusedError);
    expect(contract.submissions).toBe(0);
    // For as long as nodes lag, then the halves.
    expect(contract.simulations).toBeLessThanOrEqual(16 + 8);
  });

  it("is paid for once if it is of a later batch, and the message counts what is written", async () => {
    contract.refuses = holds(220);
    expect(await refused(250)).toMatchObject({
      code: "ROW_REFUSED",
      shortMessage: expect.stringContaining(accountOf(220)) as string,
      metaMessages: [expect.any(String), expect.stringMatching(/^200\b.*\b250\b/), expect.any(String)] as string[],
    });
    expect(contract.written).toHaveLength(200);
    expect(sent()).toBe(3);
  });

  it("is found on a node that simulates only small batches", async () => {
    contract.refuses = holds(220);
    contract.simulates = (rows) => rows.length <= 7;
    expect(await refused(250)).toMatchObject({
      code: "ROW_REFUSED",
      shortMessage: expect.stringContaining(accountOf(220)) as string,
    });
    expect(sent()).toBe(3);
  });

  it("ends the push as before on a node that simulates nothing", async () => {
    contract.refuses = holds(220);
    contract.simulates = () => false;
    expect(await refused(250)).toMatchObject({ code: "NO_PROGRESS" });
    expect(sent()).toBe(6);
  });

  it("is named with its batch if rows are refused only together, once the batch has failed: calls may have less gas", async () => {
    contract.refuses = ({ rows }) => rows.length > 60;
    const error = await refused(80);
    expect(error).toMatchObject({
      code: "ROW_REFUSED",
      metaMessages: [expect.stringMatching(/^0\b.*\b80\b/), expect.any(String)] as string[],
    });
    expect(String(error)).toContain(accountOf(0));
    expect(String(error)).toContain(accountOf(79));
    expect(error).toMatchObject({ refusal: { rows: { length: 80 }, rowsWritten: 0, rowsToWrite: 80 } });
    expect(sent()).toBe(1);
  });

  it("is not believed of a node whose calls have too little gas for a batch", async () => {
    contract.refuses = ({ rows }) => contract.submissions === 0 && rows.length > 60;
    expect(await refused(80)).toBeUndefined();
  });

  it("is not believed of a node that lags: the same call is accepted seconds later", async () => {
    contract.refuses = () => contract.submissions === 0 && contract.simulations < 4;
    expect(await refused(10)).toBeUndefined();
    expect({ last: events.at(-1), simulations: contract.simulations }).toEqual({ last: "verified", simulations: 4 });
  });
});

it("rows that the contract refuses only in packed batches are not blamed", async () => {
  const contract = memoryContract();
  contract.refuses = ({ packed = false }) => packed;
  const plan = await planPush(contract, stageOne, tableOf(20), { packed: true });
  await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  expect(contract.submissions).toBe(0);
});

it("a push that nothing refuses costs one simulation, and none if there is nothing to write", async () => {
  const contract = memoryContract();
  for (const rows of [250, 250]) await collect(push(contract, await planPush(contract, stageOne, tableOf(rows))));
  expect(contract.simulations).toBe(1);
});

it.each([
  [250, 7, 0],
  [250, 100, 100],
  [20, 100, 20],
])("a check of %i rows on a node that simulates %i reports the %i it tried", async (rows, most, tried) => {
  const contract = memoryContract();
  contract.simulates = (call) => call.length <= most;
  expect(await checkFirstBatch(contract, await planPush(contract, stageOne, tableOf(rows)))).toBe(tried);
});

it("the packed entry point is not compared if the contract refuses its batches", async () => {
  const contract = memoryContract();
  const compare = async () =>
    (await planPush(contract, stageOne, tableOf(20), { compareEntryPoints: true })).otherEntryPoint;
  expect(await compare()).toMatchObject({ packed: true });
  contract.refuses = ({ packed = false }) => packed;
  expect(await compare()).toBeUndefined();
});

describe("an answer lasts", () => {
  const behind = { state: "unknown", isBehind: true } as const;
  it.each<readonly [string, readonly Simulation[], Simulation]>([
    [
      "accepted, after nodes that were behind",
      [behind, { state: "refused" }, { state: "accepted" }],
      { state: "accepted" },
    ],
    ["unknown at once, if the node cannot tell", [{ state: "unknown" }], { state: "unknown" }],
    ["unknown, if every node stays behind", [behind], behind],
  ])("%s", async (_, answers, expected) => {
    const left = [...answers];
    const simulate = () => Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? behind);
    expect(await lastingAnswer(simulate)).toEqual(expected);
    expect(left).toHaveLength(1);
  });
});
