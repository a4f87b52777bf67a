// Nodes that answer from a state before the push's own writes, whose rows are those of the file.
import { expect, onTestFinished, test, vi } from "vitest";
import { accountOf, collect, memoryContract, stageOne, tableOf, temporaryFile } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { Journal } from "./journal.ts";
import { planPush, type PlanPushOptions } from "./planPush.ts";
import { push } from "./push.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

const table = tableOf(250);

/** A call of another member that sets these accounts' scores. */
function writeAsOther(contract: MemoryScoreContract, score: bigint, accounts: readonly number[] = [2]): void {
  contract.tamper(({ stages }) => {
    const rows = stages.get(stageOne);
    if (rows === undefined) throw new Error("the stage is there");
    for (const account of accounts) rows.scores.set(accountOf(account), score);
    rows.revision += 1n;
  });
}

/** A contract whose stage holds the table, and a function that makes its node answer from that state. */
async function held(isReference: boolean) {
  const contract = memoryContract({ isReference });
  await collect(push(contract, await planPush(contract, stageOne, table)));
  const height = contract.newest;
  const answerOld = (): void => {
    contract.blocksBehind = () => Number(contract.newest - height);
  };
  return { contract, answerOld };
}

const everyRow = Array.from({ length: 250 }, (_, number) => number);
const ways: readonly [string, readonly number[], PlanPushOptions][] = [
  ["one row", [2], {}],
  ["several transactions", everyRow, {}],
  ["packed rows", everyRow, { packed: true }],
  ["a row that is pruned", [2, 300], { prune: true }],
];

/** Pushes; once all planned rows are in blocks, another member overwrites one again, and the node answers from the old state. */
async function pushThenOld(contract: MemoryScoreContract, answerOld: () => void, options: PlanPushOptions = {}) {
  const plan = await planPush(contract, stageOne, table, options);
  let left = plan.rows.length;
  const events = [];
  for await (const event of push(contract, plan)) {
    events.push(event);
    if (event.type === "confirmed") left -= event.rows;
    if (event.type !== "confirmed" || left > 0) continue;
    writeAsOther(contract, 3n);
    answerOld();
  }
  return events;
}

for (const isReference of [false, true]) {
  const on = isReference ? "a reference contract" : "our contract";
  test.each(ways.filter(([, , { packed = false }]) => !(packed && isReference)))(
    `a push that wrote %s to ${on} does not verify the state before`,
    async (_, accounts, options) => {
      const { contract, answerOld } = await held(isReference);
      writeAsOther(contract, 1n, accounts);
      const startedAt = performance.now();
      await expect(pushThenOld(contract, answerOld, options)).rejects.toMatchObject({
        code: "VERIFY_MISMATCH",
        verification: { agrees: false, differences: [] },
      });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(10_000);
    },
  );

  test(`what a push wrote to ${on} is read again until the node has caught up`, async () => {
    const { contract, answerOld } = await held(isReference);
    writeAsOther(contract, 1n);
    stopClock(() => (contract.blocksBehind = () => 0));
    await expect(pushThenOld(contract, answerOld)).rejects.toMatchObject({
      code: "VERIFY_MISMATCH",
      verification: { differences: [{ account: accountOf(2), actual: 3n }] },
    });
  });

  test(`one of twenty answers from an old state is enough to read ${on} again`, async () => {
    const { contract, answerOld } = await held(isReference);
    writeAsOther(contract, 1n);
    let asked = 0;
    // Of 40 calls, the revision and the sequence that one node shows.
    const isBehind = (): boolean => [7, 8].includes((asked += 1));
    const answerOnce = (): void => {
      answerOld();
      const { blocksBehind } = contract;
      contract.blocksBehind = () => (isBehind() ? blocksBehind() : 0);
    };
    const startedAt = performance.now();
    await expect(pushThenOld(contract, answerOnce)).rejects.toMatchObject({
      verification: { differences: [{ account: accountOf(2), actual: 3n }] },
    });
    expect(performance.now()).toBeGreaterThan(startedAt);
  });

  test(`a later run with the journal of a push to ${on} waits for that push's rows`, async () => {
    const { contract, answerOld } = await held(isReference);
    const scope = { identity: contract.identity, stage: stageOne };
    const journal = await Journal.open(temporaryFile("journal"), scope);
    onTestFinished(() => journal.close());
    writeAsOther(contract, 1n);
    await collect(push(contract, await planPush(contract, stageOne, table, { journal }), { journal }));
    writeAsOther(contract, 3n);
    answerOld();
    stopClock(() => (contract.blocksBehind = () => 0));
    expect(await planPush(contract, stageOne, table, { journal })).toMatchObject({ counts: { change: 1 } });
  });
}

test("a state between the push's writes and those of others is not verified for a height that has both", async () => {
  const { contract } = await held(false);
  writeAsOther(contract, 1n);
  let asked = 0;
  const lag = (): void => {
    contract.blocksBehind = () => ((asked += 1) % 20 === 3 ? 0 : 1);
  };
  await expect(pushThenOld(contract, lag)).rejects.toMatchObject({
    code: "VERIFY_MISMATCH",
    verification: { agrees: false, differences: [] },
  });
});

test("a push with nothing to do verifies no state before the one that it planned from", async () => {
  const { contract, answerOld } = await held(false);
  writeAsOther(contract, 1n);
  await collect(push(contract, await planPush(contract, stageOne, table)));
  const plan = await planPush(contract, stageOne, table);
  expect(plan.rows).toEqual([]);
  answerOld();
  await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "VERIFY_MISMATCH" });
});

test("a repair verifies no state before the one that it started from", async () => {
  const { contract } = await held(false);
  writeAsOther(contract, 1n);
  contract.fate = (n) => (n === 3 ? "sequence" : "take");
  let replanned = false;
  let equal = 0n;
  const run = async () => {
    for await (const event of push(contract, await planPush(contract, stageOne, table))) {
      if (event.type === "setback") writeAsOther(contract, 2n, [5]);
      if (event.type === "replanned") {
        replanned = true;
        // Others write the file, the repair writes it again, and others overwrite it.
        writeAsOther(contract, 1_005n, [5]);
        equal = contract.newest;
      }
      if (event.type !== "confirmed" || !replanned) continue;
      writeAsOther(contract, 3n);
      contract.blocksBehind = () => Number(contract.newest - equal);
    }
  };
  await expect(run()).rejects.toMatchObject({ code: "VERIFY_MISMATCH", verification: { differences: [] } });
  expect(replanned).toBe(true);
});

test.each([false, true])(
  "a state in which another machine wrote the file, before the push's own write, is not verified: reference %s",
  async (isReference) => {
    const { contract } = await held(isReference);
    writeAsOther(contract, 1n);
    const plan = await planPush(contract, stageOne, table);
    writeAsOther(contract, 1_002n);
    const height = contract.newest;
    const run = async () => {
      for await (const event of push(contract, plan)) {
        if (event.type !== "confirmed") continue;
        writeAsOther(contract, 3n);
        contract.blocksBehind = () => Number(contract.newest - height);
      }
    };
    await expect(run()).rejects.toMatchObject({ code: "VERIFY_MISMATCH", verification: { differences: [] } });
  },
);

test("a contract whose revision falls meanwhile is an error after ten seconds, not an endless wait", async () => {
  const { contract } = await held(false);
  writeAsOther(contract, 1n);
  const plan = await planPush(contract, stageOne, table);
  const events = push(contract, plan);
  await events.next();
  contract.tamper(({ stages }) => {
    const rows = stages.get(stageOne);
    if (rows !== undefined) rows.revision = 0n;
  });
  const startedAt = performance.now();
  await expect(collect(events)).rejects.toMatchObject({
    code: "VERIFY_MISMATCH",
    message: expect.stringMatching(/\b5, 0\b/) as string,
  });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
