// Nodes that answer a read at a height from an older state, without saying so.
import { expect, onTestFinished, test, vi } from "vitest";
import { collect, memoryContract, stageOne, tableOf, temporaryFile } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { stage } from "../stage.ts";
import { finalizeStage } from "./finalizeStage.ts";
import { Journal } from "./journal.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { verifyScores } from "./verifyScores.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

const stageTwo = stage(2n);
const table = tableOf(250);

/** A contract whose stage 2 was opened and written by a push with a journal; the node is behind until the clock moves. */
async function pushed(): Promise<{ readonly contract: MemoryScoreContract; readonly journal: Journal }> {
  const contract = memoryContract();
  await finalizeStage(contract, stageOne, { expect: tableOf(0) });
  const scope = { identity: contract.identity, stage: stageTwo };
  const journal = await Journal.open(temporaryFile("journal"), scope);
  onTestFinished(() => journal.close());
  await collect(push(contract, await planPush(contract, stageTwo, table, { journal }), { journal }));
  return { contract, journal };
}

/** Makes the node answer from this many blocks ago, until a command waits. */
function fallBehind(contract: MemoryScoreContract, blocks: number): void {
  contract.blocksBehind = () => blocks;
  stopClock(() => (contract.blocksBehind = () => 0));
}

test.each([
  ["before the stage existed", 5],
  ["before the rows were written", 3],
  ["before the last rows were written", 1],
])("a plan of a stage that the journal has as written waits for a node that answers from %s", async (_, blocks) => {
  const { contract, journal } = await pushed();
  fallBehind(contract, blocks);
  expect(await planPush(contract, stageTwo, table, { journal })).toMatchObject({
    rows: [],
    counts: { unchanged: 250 },
  });
});

test.each([5, 3, 1])("so does a finalize, %i blocks behind", async (blocks) => {
  const { contract, journal } = await pushed();
  fallBehind(contract, blocks);
  const { verification } = await finalizeStage(contract, stageTwo, { expect: table, journal });
  expect(verification).toMatchObject({ agrees: true, isFinalized: true });
});

test("a plan also waits if the node that is behind does not have the transactions", async () => {
  const { contract, journal } = await pushed();
  fallBehind(contract, 5);
  const lookUp = contract.lookUp.bind(contract);
  let asked = 0;
  contract.lookUp = (hash) => {
    asked += 1;
    return asked % 2 === 1 ? Promise.resolve({ state: "unknown" }) : lookUp(hash);
  };
  expect(await planPush(contract, stageTwo, table, { journal })).toMatchObject({
    rows: [],
    counts: { unchanged: 250 },
  });
});

test("a node that stays behind is believed after ten seconds", async () => {
  const { contract, journal } = await pushed();
  contract.blocksBehind = () => 5;
  const startedAt = performance.now();
  await expect(planPush(contract, stageTwo, table, { journal })).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(10_000);
});

test("on a chain that was started again, where the journal's transactions do not exist, nobody waits", async () => {
  const { journal } = await pushed();
  const startedAt = performance.now();
  const contract = memoryContract();
  await expect(planPush(contract, stageTwo, table, { journal })).rejects.toMatchObject({ code: "STAGE_NOT_FOUND" });
  expect(performance.now()).toBe(startedAt);
});

test("without a journal nobody waits, and the error names the height at which the node answered", async () => {
  const { contract } = await pushed();
  const height = await contract.getHeight();
  const startedAt = performance.now();
  const reads = [() => planPush(contract, stageTwo, table), () => verifyScores(contract, stageTwo, table)];
  contract.blocksBehind = () => 5;
  for (const read of reads) {
    await expect(read()).rejects.toMatchObject({
      code: "STAGE_NOT_FOUND",
      shortMessage: expect.stringMatching(new RegExp(`height ${height}$`)) as unknown,
    });
  }
  contract.blocksBehind = () => 1;
  expect(await verifyScores(contract, stageTwo, table)).toMatchObject({ agrees: false, height });
  expect(performance.now()).toBe(startedAt);
});
