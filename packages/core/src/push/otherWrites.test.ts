import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { Journal } from "./journal.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

/** A call of another program that sets one account's score. */
function writeAsOther(contract: MemoryScoreContract, account: number, score: bigint): void {
  contract.tamper(({ stages }) => {
    const rows = stages.get(stageOne);
    if (rows === undefined) throw new Error("the stage is there");
    rows.scores.set(accountOf(account), score);
    rows.revision += 1n;
  });
}

async function openJournal(contract: MemoryScoreContract): Promise<Journal> {
  const folder = temporaryFolder();
  const journal = await Journal.open(join(folder, "journal"), { identity: contract.identity, stage: stageOne });
  onTestFinished(() => journal.close());
  return journal;
}

test("a push alone causes every revision, also with setbacks, and when nothing is to be written", async () => {
  const contract = memoryContract();
  contract.fate = (n) => (n === 1 ? "lose-answer" : n === 2 ? "sequence" : "take");
  const first = await collect(push(contract, await planPush(contract, stageOne, tableOf(350))));
  expect(first.at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
  const again = await collect(push(contract, await planPush(contract, stageOne, tableOf(350))));
  expect(again.at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
});

test("writes of others between the plan and the verification are counted, although the stage holds the table", async () => {
  const contract = memoryContract();
  const plan = await planPush(contract, stageOne, tableOf(250));
  for (const score of [5n, 6n, 7n]) writeAsOther(contract, 2, score);
  const events = await collect(push(contract, plan));
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true }, otherWrites: 3n });
});

test("a difference that others wrote is reported at once, with them", async () => {
  const contract = memoryContract();
  const events = push(contract, await planPush(contract, stageOne, tableOf(5)));
  await events.next();
  await events.next();
  writeAsOther(contract, 2, 1n);
  const startedAt = performance.now();
  await expect(collect(events)).rejects.toMatchObject({
    code: "VERIFY_MISMATCH",
    message: expect.stringMatching(/\b1 calls?\b/) as string,
  });
  expect(performance.now()).toBe(startedAt);
});

test("a transaction that counted as dropped and arrives later is the push's own", async () => {
  const contract = memoryContract();
  const journal = await openJournal(contract);
  let lost: Parameters<MemoryScoreContract["broadcast"]>[0] | undefined;
  contract.fate = (_, transaction) => {
    if (lost !== undefined) return "take";
    lost = transaction;
    return "forget";
  };
  const controller = new AbortController();
  const cut = push(contract, await planPush(contract, stageOne, tableOf(5), { journal }), {
    journal,
    signal: controller.signal,
  });
  await cut.next();
  await cut.return();
  vi.advanceTimersByTime(600_000);
  const plan = await planPush(contract, stageOne, tableOf(5), { journal });
  expect(journal.dropped).toEqual([lost?.hash]);
  // The old transaction arrives after the plan was read, before the push signs.
  if (lost !== undefined) await contract.broadcast(lost);
  const events = await collect(push(contract, plan, { journal }));
  expect(events.at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
  expect(contract.calls.filter(({ kind }) => kind === "updateScores")).toHaveLength(2);
});

test("a plan whose revision came from a node that was behind accuses nobody", async () => {
  const contract = memoryContract();
  await collect(push(contract, await planPush(contract, stageOne, tableOf(5))));
  const plan = await planPush(contract, stageOne, tableOf(9));
  const stale = { ...plan, chain: { ...plan.chain, revision: 0n } };
  const events = await collect(push(contract, stale));
  expect(events.at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
});

test("a reference contract has no revisions, so nobody is counted", async () => {
  const contract = memoryContract({ isReference: true });
  const plan = await planPush(contract, stageOne, tableOf(5));
  writeAsOther(contract, 2, 1n);
  expect((await collect(push(contract, plan))).at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
});
