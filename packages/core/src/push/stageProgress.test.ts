import { readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { accountOf, collect, memoryContract, stageOne, tableOf, temporaryFile } from "../../test/fixtures.ts";
import type { BroadcastFate, MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { VipError } from "../errors/vipError.ts";
import type { ContractCall } from "../scoreContract.ts";
import type { Score } from "../stage.ts";
import { Journal } from "./journal.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import type { PushEvent } from "./pushEvent.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

type State = Parameters<MemoryScoreContract["beforeExecute"]>[1];

/** A call of another program that sets scores. */
function writeAsOther(state: State, rows: readonly (readonly [number, Score])[]): void {
  const written = state.stages.get(stageOne);
  if (written === undefined) throw new Error("the stage is there");
  written.scores = new Map(written.scores);
  for (const [account, score] of rows) written.scores.set(accountOf(account), score);
  written.revision += 1n;
}

function confirmedOf(events: readonly PushEvent[]) {
  return events.flatMap((event) => (event.type === "confirmed" ? [event] : []));
}

test.each([false, true])(
  "one receipt is read of each kind, state shows the others; reference: %s",
  async (isReference) => {
    const contract = memoryContract({ isReference });
    contract.automine = false;
    stopClock(() => contract.mine());
    const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(1_000))));
    const confirmed = confirmedOf(events);
    expect(confirmed.length).toBeGreaterThan(5);
    expect(confirmed.filter(({ gasUsed }) => gasUsed !== undefined)).toHaveLength(1);
    expect(contract.lookUps).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: "verified", otherWrites: 0n });
  },
);

test("bytes are not sent again while a slow block is made, on a node that does not show what waits", async () => {
  const contract = memoryContract();
  contract.automine = false;
  let minedAt = performance.now();
  stopClock(() => {
    if (performance.now() - minedAt < 4_000) return;
    contract.mine();
    minedAt = performance.now();
  });
  const lookUp = contract.lookUp.bind(contract);
  contract.lookUp = async (hash) => {
    const status = await lookUp(hash);
    return status.state === "pending" ? { state: "unknown" } : status;
  };
  await collect(push(contract, await planPush(contract, stageOne, tableOf(500))));
  expect(contract.submissions).toBe(contract.calls.length);
  expect(contract.written).toHaveLength(500);
});

test("without a revision, receipts decide a repair: it may start from an older state", async () => {
  const contract = memoryContract({ isReference: true });
  contract.fate = (n) => (n === 3 ? "sequence" : "take");
  contract.beforeExecute = (_, state) => {
    if (contract.calls.length !== 4) return;
    const accounts = Array.from({ length: state.stages.get(stageOne)?.scores.size ?? 0 }, (__, account) => account);
    writeAsOther(
      state,
      accounts.map((account) => [account, 0n]),
    );
  };
  contract.automine = false;
  stopClock(() => contract.mine());
  const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(1_000))));
  const repair = events.slice(events.findIndex(({ type }) => type === "replanned"));
  expect(confirmedOf(repair).length).toBeGreaterThan(0);
  expect(confirmedOf(repair).every(({ gasUsed }) => gasUsed !== undefined)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "verified" });
});

test("sums that move both ways decide nothing without a revision", async () => {
  const contract = memoryContract({ isReference: true });
  contract.limits = { ...contract.limits, maxGas: 2_000n };
  await collect(push(contract, await planPush(contract, stageOne, tableOf(100))));
  contract.lookUps = 0;
  contract.automine = false;
  stopClock(() => contract.mine());
  // The scores of each batch rise, and fall in the next.
  const table = tableOf(100, (n) => 1_000n + BigInt(n) + (Math.floor(n / 10) % 2 === 0 ? 5n : -5n));
  await collect(push(contract, await planPush(contract, stageOne, table)));
  expect(contract.lookUps).toBeGreaterThanOrEqual(8);
});

test("a failed transaction whose sums another program wrote is found by the verification, and its rows are written", async () => {
  const contract = memoryContract();
  const file = temporaryFile("journal");
  const scope = { identity: contract.identity, stage: stageOne };
  const journal = await Journal.open(file, scope);
  const { realGas } = contract;
  let calls = 0;
  contract.beforeExecute = ({ kind, ...call }: ContractCall, state) => {
    calls += 1;
    contract.realGas = calls === 2 ? { base: 10_000_000n, row: 0n } : realGas;
    if (kind !== "updateScores" || calls !== 2) return;
    const { rows } = call as ContractCall & { kind: "updateScores" };
    const scores = rows.map(({ score }) => score);
    const swapped = [...scores.slice(1), ...scores.slice(0, 1)];
    writeAsOther(
      state,
      rows.map(({ account }, at) => [Number(BigInt(account)) - 1, swapped[at] ?? 0n] as const),
    );
  };
  const plan = await planPush(contract, stageOne, tableOf(400), { journal });
  const events = await collect(push(contract, plan, { journal }));
  expect(events.map(({ type }) => type)).toContain("replanned");
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true }, otherWrites: 1n });
  const failed = confirmedOf(events)[1]?.hash;
  expect(readFileSync(file, "utf8")).toContain(
    `{"settled":{"hash":"${failed}","outcome":"included","height":"3","by":"state"}}`,
  );
  await journal.close();
  const again = await Journal.open(file, scope);
  onTestFinished(() => again.close());
  expect(again.written).toHaveLength(confirmedOf(events).length - 1);
  expect(again.written).not.toContain(failed);
});

test.each([false, true])("a node without an index of transactions is enough; reference: %s", async (isReference) => {
  const contract = memoryContract({ isReference });
  contract.isIndexed = false;
  contract.automine = false;
  stopClock(() => contract.mine());
  const file = temporaryFile("journal");
  const journal = await Journal.open(file, { identity: contract.identity, stage: stageOne });
  onTestFinished(() => journal.close());
  const plan = await planPush(contract, stageOne, tableOf(1_000), { journal });
  const events = await collect(push(contract, plan, { journal }));
  const confirmed = confirmedOf(events);
  expect(confirmed.every(({ gasUsed }) => gasUsed === undefined)).toBe(true);
  // The first shows that there are no receipts; then the model is enough, and many are in flight.
  expect(contract.lookUps).toBe(1);
  expect(new Set(confirmed.map(({ height }) => height)).size).toBeLessThan(confirmed.length);
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect(contract.written).toHaveLength(1_000);
  expect(journal).toMatchObject({ unsettled: [], dropped: [], written: confirmed.map(({ hash }) => hash) });
});

test("without an index, what a failed transaction leaves is found by reading the stage", async () => {
  const contract = memoryContract();
  contract.isIndexed = false;
  const { realGas } = contract;
  let calls = 0;
  contract.beforeExecute = () => {
    calls += 1;
    contract.realGas = calls === 2 ? { base: 10_000_000n, row: 0n } : realGas;
  };
  const file = temporaryFile("journal");
  const scope = { identity: contract.identity, stage: stageOne };
  const journal = await Journal.open(file, scope);
  const plan = await planPush(contract, stageOne, tableOf(400), { journal });
  const events = await collect(push(contract, plan, { journal }));
  const setbacks = events.flatMap((event) => (event.type === "setback" ? [event.error.code] : []));
  expect(new Set(setbacks)).toEqual(new Set(["TX_INDEX_OFF"]));
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { agrees: true }, otherWrites: 0n });
  expect(contract.written).toHaveLength(400);
  expect(journal.unsettled).toEqual([]);
  await journal.close();
  expect(readFileSync(file, "utf8")).toContain(`"outcome":"unclear"`);
  const again = await Journal.open(file, scope);
  onTestFinished(() => again.close());
  expect(again.unsettled).toEqual([]);
});

test("without an index, a push to a stage that was finalized names the reason", async () => {
  const contract = memoryContract();
  contract.isIndexed = false;
  const plan = await planPush(contract, stageOne, tableOf(10));
  contract.tamper((state) => {
    const first = state.stages.get(stageOne);
    if (first !== undefined) first.isFinalized = true;
  });
  await expect(collect(push(contract, plan))).rejects.toMatchObject({ code: "STAGE_FINALIZED" });
});

/** Plays a push whose node, other writers and transactions do what a seed says. Returns how many were confirmed, and how. */
async function play(seed: number): Promise<{ readonly byState: number; readonly byReceipt: number }> {
  const random = seededRandom(seed);
  const isReference = random.below(4) === 0;
  const contract = memoryContract({ isReference });
  const isIndexed = random.below(3) > 0;
  contract.isIndexed = isIndexed;
  contract.mostTogether = random.pick([1, 3, 5, Infinity]);
  contract.limits = { ...contract.limits, maxGas: 2_500n };
  const table = tableOf(40 + random.below(100), () => BigInt(1 + random.below(1_000_000)));
  const rate = random.below(3);
  const happens = (): boolean => random.below(100) < 4 * rate;
  const others: bigint[] = [];
  const interfere = (state: State, height: bigint): void => {
    const account = random.below(table.size);
    const same = table.get(accountOf(account)) ?? 0n;
    writeAsOther(state, [[account, random.below(2) === 0 ? same : BigInt(random.below(1_000_000))]]);
    others.push(height);
  };
  const { realGas } = contract;
  contract.beforeExecute = (call, state) => {
    contract.realGas = call.kind === "updateScores" && happens() ? { base: 10_000_000n, row: 0n } : realGas;
    if (happens()) interfere(state, contract.newest + 1n);
  };
  const faults: readonly BroadcastFate[] = ["lose-answer", "lose-request", "forget", "sequence", "resign", "other"];
  contract.fate = () => (happens() ? random.pick(faults) : "take");
  contract.automine = random.below(3) === 0;
  stopClock(() => {
    // A node of CometBFT refuses a height that it does not have.
    const lag = isIndexed && happens() ? 1 + random.below(3) : 0;
    contract.blocksBehind = () => lag;
    if (happens()) contract.tamper((state) => interfere(state, contract.newest + 1n));
    if (random.below(3) > 0) contract.mine();
  });
  const plan = await planPush(contract, stageOne, table, { maxFee: 10n ** 12n });
  const events: PushEvent[] = [];
  try {
    for await (const event of push(contract, plan)) events.push(event);
  } catch (error) {
    if (!VipError.isVipError(error)) throw error;
    expect(["VERIFY_MISMATCH", "NO_PROGRESS", "NODE_BAD_RESPONSE"]).toContain(error.code);
  }
  contract.isIndexed = true;
  const confirmed = confirmedOf(events);
  // Without receipts, what others wrote with the same sums counts as the push's own.
  for (const { hash, height } of isIndexed || others.length === 0 ? confirmed : []) {
    const receipt = await contract.lookUp(hash);
    expect(receipt).toMatchObject({ state: "included", succeeded: true });
    expect(receipt.state === "included" && receipt.height <= height).toBe(true);
  }
  const last = events.at(-1);
  if (last?.type === "verified") {
    const { height, agrees } = last.verification;
    const written = others.filter((at) => at > plan.height && at <= height).length;
    expect(agrees).toBe(true);
    const found = isReference ? 0n : BigInt(written);
    // Writes of others may be hidden by transactions in doubt, without receipts, and by a node that is behind; none is invented.
    const isExact = isIndexed && contract.blocksBehind() === 0;
    if (isExact || last.otherWrites > found) expect(last.otherWrites).toBe(found);
    if (others.length === 0) expect(contract.written).toHaveLength(table.size);
  }
  const byState = confirmed.filter(({ gasUsed }) => gasUsed === undefined).length;
  return { byState, byReceipt: confirmed.length - byState };
}

test("random histories: what state settles is what the receipts say", async () => {
  const seed = fuzzSeed();
  const sum = { byState: 0, byReceipt: 0 };
  const runs = fuzzRuns(200);
  for (let run = 0; run < runs; run += 1) {
    const { byState, byReceipt } = await play(seed * 1_000_000 + run).catch((cause: unknown) => {
      throw new Error(`history ${seed * 1_000_000 + run}`, { cause });
    });
    sum.byState += byState;
    sum.byReceipt += byReceipt;
  }
  console.log(sum);
  expect(sum.byState).toBeGreaterThan(sum.byReceipt);
});
