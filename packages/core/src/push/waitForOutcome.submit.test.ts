import { expect, it, vi } from "vitest";
import { accountOf, memoryContract, stageOne } from "../../test/fixtures.ts";
import type { MemoryScoreContract } from "../../test/memoryScoreContract.ts";
import { NodeError } from "../errors/vipError.ts";
import { submit } from "./waitForOutcome.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

async function signed(contract: MemoryScoreContract) {
  const call = { kind: "updateScores", stage: stageOne, rows: [{ account: accountOf(1), score: 5n }] } as const;
  return contract.sign(call, { sequence: 0n, gas: 10_000n });
}

/** The contract's connection, with broadcasts that take this long and get no answer. */
function hanging(contract: MemoryScoreContract, milliseconds: number, arrives: (attempt: number) => boolean) {
  let attempts = 0;
  const broadcast: MemoryScoreContract["broadcast"] = async (transaction) => {
    attempts += 1;
    if (arrives(attempts)) await contract.broadcast(transaction);
    vi.advanceTimersByTime(milliseconds);
    throw new NodeError("no answer", { code: "NODE_UNREACHABLE" });
  };
  return { port: { broadcast, lookUp: (hash: string) => contract.lookUp(hash) }, attempts: () => attempts };
}

it("looks the hash up before it gives up, even if one broadcast takes all of the time", async () => {
  const contract = memoryContract();
  const { port, attempts } = hanging(contract, 60_000, () => true);
  await submit(port, await signed(contract), { rows: 1 });
  expect(attempts()).toBe(1);
  expect(contract.written).toHaveLength(1);
});

it("broadcasts the same bytes again while the node does not know them", async () => {
  const contract = memoryContract();
  const { port, attempts } = hanging(contract, 10_000, (attempt) => attempt === 3);
  await submit(port, await signed(contract), { rows: 1 });
  expect(attempts()).toBe(3);
  const lost = hanging(memoryContract(), 10_000, () => false);
  await expect(submit(lost.port, await signed(contract), { rows: 1 })).rejects.toMatchObject({
    code: "NODE_UNREACHABLE",
  });
  expect(lost.attempts()).toBeGreaterThan(2);
});

it("waits as long as the endpoint asks", async () => {
  const contract = memoryContract();
  const transaction = await signed(contract);
  const startedAt = performance.now();
  let isBusy = true;
  const broadcast: MemoryScoreContract["broadcast"] = async (each) => {
    if (!isBusy) return contract.broadcast(each);
    isBusy = false;
    throw new NodeError("busy", { code: "NODE_UNREACHABLE", retryAfterMs: 4_000 });
  };
  await submit({ broadcast, lookUp: (hash) => contract.lookUp(hash) }, transaction, { rows: 1 });
  expect(performance.now() - startedAt).toBe(4_000);
});

it("a wall clock that is set forward does not end it", async () => {
  const contract = memoryContract();
  contract.fate = (n) => {
    vi.setSystemTime(Date.now() + 3_600_000);
    return n < 5 ? "lose-request" : "take";
  };
  await submit(contract, await signed(contract), { rows: 1 });
  expect(contract.written).toHaveLength(1);
});
