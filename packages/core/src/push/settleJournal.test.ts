import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { accountOf, memoryContract, stageOne, temporaryFile } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { Journal } from "./journal.ts";
import { settleJournal } from "./settleJournal.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

const hour = 3_600_000;

/** A journal with `count` transactions that no node knows, written this long ago; the first has this sequence. */
async function journalOf(contract: MemoryScoreContract, count: number, ageMs: number, first = 0) {
  const file = temporaryFile("journal.jsonl");
  const scope = { identity: contract.identity, stage: stageOne };
  await (await Journal.open(file, scope)).close();
  const at = new Date(Date.now() - ageMs).toISOString();
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ sent: { hash: `unknown ${n}`, sequence: `${first + n}`, gas: "1", rows: 1, at, sha256: "" } }),
  );
  writeFileSync(file, `${readFileSync(file, "utf8")}${lines.join("\n")}\n`);
  return Journal.open(file, scope);
}

/** Makes the account use this many sequences. */
async function use(contract: MemoryScoreContract, sequences: number): Promise<void> {
  for (let n = 0; n < sequences; n += 1) {
    const call = { kind: "addMember", account: accountOf(n) } as const;
    await contract.broadcast(await contract.sign(call, { sequence: BigInt(n), gas: 10_000n }));
  }
}

it("an old unknown hash costs one look-up, many are looked up in parallel", async () => {
  const contract = memoryContract();
  await use(contract, 40);
  const journal = await journalOf(contract, 40, hour);
  const startedAt = performance.now();
  await settleJournal(contract, journal);
  expect(contract.lookUps).toBe(40);
  expect(contract.maxLookUps).toBe(8);
  expect(performance.now() - startedAt).toBe(0);
  expect(journal.unsettled).toEqual([]);
  await journal.close();
});

it("waits for recent ones to show up, for all of them together", async () => {
  const contract = memoryContract();
  await use(contract, 8);
  const journal = await journalOf(contract, 8, 0);
  const startedAt = performance.now();
  await settleJournal(contract, journal);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_000);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(journal.unsettled).toEqual([]);
  await journal.close();
});

it("treats one from the future, written before the clock was set back, as recent", async () => {
  const contract = memoryContract();
  const journal = await journalOf(contract, 1, -hour, 1);
  const startedAt = performance.now();
  await settleJournal(contract, journal);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(65_000);
  expect(performance.now() - startedAt).toBeLessThan(70_000);
  await journal.close();
});

it("one behind a gap stays unsettled if it is old by the wall clock", async () => {
  const contract = memoryContract();
  const journal = await journalOf(contract, 1, hour, 1);
  await settleJournal(contract, journal);
  expect(contract.lookUps).toBe(1);
  expect(journal.unsettled).toHaveLength(1);
  await use(contract, 2);
  await settleJournal(contract, journal);
  expect(journal.unsettled).toEqual([]);
  await journal.close();
});

it.each([0, hour])("without an index, used sequences settle, and free ones are dropped; age: %s", async (age) => {
  const contract = memoryContract();
  await use(contract, 2);
  contract.isIndexed = false;
  const journal = await journalOf(contract, 3, age);
  const file = readFileSync(journal.file, "utf8").length;
  await settleJournal(contract, journal);
  expect(journal.unsettled).toEqual([]);
  const settled = readFileSync(journal.file, "utf8").slice(file).trim().split("\n");
  const outcomes = settled.map((line) => (JSON.parse(line) as { settled: { hash: string; outcome: string } }).settled);
  expect(outcomes.sort((a, b) => a.hash.localeCompare(b.hash))).toEqual([
    { hash: "unknown 0", outcome: "unclear" },
    { hash: "unknown 1", outcome: "unclear" },
    { hash: "unknown 2", outcome: "dropped" },
  ]);
  await journal.close();
});

it("a failure ends all look-ups before it is thrown", async () => {
  const contract = memoryContract();
  const journal = await journalOf(contract, 20, hour);
  const failure = new Error("no");
  let open = 0;
  const lookUp = vi.spyOn(contract, "lookUp").mockImplementation(async () => {
    const isFirst = lookUp.mock.calls.length === 1;
    open += 1;
    await setTimeout(isFirst ? 1 : 20);
    open -= 1;
    if (isFirst) throw failure;
    return { state: "unknown" };
  });
  await expect(settleJournal(contract, journal)).rejects.toBe(failure);
  expect({ open, lookUps: lookUp.mock.calls.length }).toEqual({ open: 0, lookUps: 8 });
  await journal.close();
});
