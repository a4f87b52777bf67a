import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { afterEach, expect, it, vi, type MockInstance } from "vitest";
import { collect, memoryContract, stageOne, tableOf, temporaryFile } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { BroadcastError } from "../errors/vipError.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { Journal } from "./journal.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { verifyScores } from "./verifyScores.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));
afterEach(() => vi.restoreAllMocks());

const table = tableOf(1_500);
const otherTable = tableOf(1_500, (n) => 7_000n + BigInt(n));

function openJournal(contract: MemoryScoreContract, file: string): Promise<Journal> {
  return Journal.open(file, { identity: contract.identity, stage: stageOne });
}

async function run(contract: MemoryScoreContract, file: string, scores: ScoreTable, prune = false): Promise<void> {
  const journal = await openJournal(contract, file);
  try {
    const plan = await planPush(contract, stageOne, scores, { journal, prune, resend: true });
    await collect(push(contract, plan, { journal }));
  } finally {
    await journal.close();
  }
}

/** A push that ends at its n-th broadcast, as if it were killed; what the node had taken is then in a block. */
async function killedRun(options: { at: number; forgets?: boolean; prune?: boolean }) {
  const contract = memoryContract();
  const file = temporaryFile("journal.jsonl");
  contract.automine = false;
  stopClock(() => contract.mine());
  const killed = new Error("killed");
  contract.fate = (broadcast) => {
    if (broadcast >= options.at) throw killed;
    return options.forgets === true && broadcast >= options.at - 2 ? "forget" : "take";
  };
  await expect(run(contract, file, table, options.prune)).rejects.toBe(killed);
  contract.mine();
  const sent: string[] = [];
  contract.fate = (_, { hash }) => {
    sent.push(hash);
    return "take";
  };
  return { contract, file, sent, open: unsettledHashes(file) };
}

function unsettledHashes(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const records = lines.map((line) => JSON.parse(line) as { sent?: { hash: string }; settled?: { hash: string } });
  const settled = new Set(records.map((record) => record.settled?.hash));
  return records.flatMap(({ sent }) => (sent === undefined || settled.has(sent.hash) ? [] : [sent.hash]));
}

async function signedHashes({ mock }: MockInstance<MemoryScoreContract["sign"]>): Promise<readonly string[]> {
  const signed = await Promise.all(mock.results.map(({ value }) => value as ReturnType<MemoryScoreContract["sign"]>));
  return signed.map(({ hash }) => hash);
}

const bytesOf = (file: string): string[] =>
  Object.keys(JSON.parse(readFileSync(`${file}.signed`, "utf8")) as Record<string, string>);

it("has the bytes of what is in flight before it is sent, and nothing once all is settled", async () => {
  const contract = memoryContract();
  const file = temporaryFile("journal.jsonl");
  contract.automine = false;
  stopClock(() => contract.mine());
  let most = 0;
  contract.fate = (_, { hash }) => {
    const hashes = bytesOf(file);
    expect(hashes).toContain(hash);
    most = Math.max(most, hashes.length);
    expect(statSync(`${file}.signed`).mode & 0o777).toBe(0o600);
    return "take";
  };
  await run(contract, file, tableOf(8_000));
  expect(contract.submissions).toBeGreaterThan(70);
  expect(most).toBeLessThanOrEqual(32);
  expect(existsSync(`${file}.signed`)).toBe(false);
});

it.each([
  { at: 0 },
  { at: 1 },
  { at: 2 },
  { at: 5 },
  { at: 9 },
  // The node restarted with an empty mempool.
  { at: 5, forgets: true },
  { at: 9, forgets: true },
])(
  "after a kill at broadcast $at (forgotten: $forgets), the same table sends the same bytes, without a wait",
  async (at) => {
    const { contract, file, sent, open } = await killedRun(at);
    expect(open.length).toBeGreaterThan(0);
    const sign = vi.spyOn(contract, "sign");
    const from = performance.now();
    let firstAt: number | undefined;
    contract.beforeExecute = () => void (firstAt ??= performance.now() - from);
    await run(contract, file, table);
    expect(open).toEqual(expect.arrayContaining(sent.slice(0, 1)));
    const signed = await signedHashes(sign);
    for (const hash of open) expect(signed).not.toContain(hash);
    expect(firstAt).toBeLessThanOrEqual(3_000);
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(contract.written).toHaveLength(table.size);
    expect(await verifyScores(contract, stageOne, table)).toMatchObject({ agrees: true });
  },
);

it("waits for a block where the node takes a later transaction only then", async () => {
  const { contract, file, open } = await killedRun({ at: 5, forgets: true });
  const broadcast = contract.broadcast.bind(contract);
  vi.spyOn(contract, "broadcast").mockImplementation(async (transaction) => {
    if (
      open.includes(transaction.hash) &&
      transaction.sequence > (await contract.getSequence({ height: contract.newest }))
    )
      throw new BroadcastError("in another form", { refusal: "resign" });
    return broadcast(transaction);
  });
  const from = performance.now();
  await run(contract, file, table);
  expect(performance.now() - from).toBeLessThan(10_000);
  expect(contract.written).toHaveLength(table.size);
});

it.each([5, 9])("another table never sends them: killed at broadcast %d", async (at) => {
  const { contract, file, sent, open } = await killedRun({ at, forgets: true });
  await run(contract, file, otherTable);
  for (const hash of open) expect(sent).not.toContain(hash);
  expect(await verifyScores(contract, stageOne, otherTable)).toMatchObject({ agrees: true });
});

it.each([
  { before: false, after: true, isSent: true },
  { before: true, after: true, isSent: true },
  { before: true, after: false, isSent: false },
])("of a run with prune $before, a run with prune $after sends them: $isSent", async ({ before, after, isSent }) => {
  const { contract, file, sent, open } = await killedRun({ at: 5, forgets: true, prune: before });
  const sign = vi.spyOn(contract, "sign");
  await run(contract, file, table, after);
  expect(sent.some((hash) => open.includes(hash))).toBe(true);
  // The same rows with the same sequence are the same bytes: only their signing shows it.
  const signed = await signedHashes(sign);
  expect(signed.some((hash) => open.includes(hash))).toBe(!isSent);
});

it("a plan alone sends nothing", async () => {
  const { contract, file, sent } = await killedRun({ at: 5, forgets: true });
  const journal = await openJournal(contract, file);
  await planPush(contract, stageOne, table, { journal });
  await journal.close();
  expect(sent).toEqual([]);
});

it("of another user are refused", async () => {
  const { contract, file, sent } = await killedRun({ at: 5 });
  vi.spyOn(process, "getuid").mockReturnValue(123_456);
  await expect(run(contract, file, table)).rejects.toMatchObject({
    code: "JOURNAL_INVALID",
    shortMessage: expect.stringContaining(`${file}.signed`) as string,
  });
  expect(sent).toEqual([]);
});

it.each([
  ["other bytes", (text: string) => `${text.slice(0, -8)}AAAAAA"}`],
  ["no bytes", (text: string) => text.replace(/"[^"]*"\}$/, "null}")],
  ["a part", (text: string) => text.slice(0, -20)],
  ["no text", () => ""],
])("with %s are refused, and nothing is sent or changed", async (_, damage) => {
  const { contract, file, sent } = await killedRun({ at: 5 });
  const damaged = damage(readFileSync(`${file}.signed`, "utf8"));
  const before = readFileSync(file, "utf8");
  writeFileSync(`${file}.signed`, damaged);
  await expect(run(contract, file, table)).rejects.toMatchObject({ code: "JOURNAL_INVALID" });
  expect(readFileSync(`${file}.signed`, "utf8")).toBe(damaged);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(sent).toEqual([]);
});

it("without a line were never sent, and are dropped", async () => {
  const { contract, file, sent, open } = await killedRun({ at: 5 });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const last = open.at(-1);
  writeFileSync(file, lines.filter((line) => !line.includes(`"sent":{"hash":"${last}"`)).join("\n") + "\n");
  expect(bytesOf(file)).toContain(last);
  await run(contract, file, table);
  expect(sent.length).toBeGreaterThan(0);
  expect(contract.written).toHaveLength(table.size);
  expect(existsSync(`${file}.signed`)).toBe(false);
});

it("that cannot be written stop the push: nothing is sent without them", async () => {
  const contract = memoryContract();
  const file = temporaryFile("journal.jsonl");
  mkdirSync(`${file}.signed/x`, { recursive: true });
  await expect(run(contract, file, table)).rejects.toMatchObject({ code: "FILE_UNWRITABLE" });
  expect(contract.submissions).toBe(0);
});
