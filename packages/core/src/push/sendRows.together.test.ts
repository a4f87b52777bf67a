import { expect, test, vi } from "vitest";
import { collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

/** A contract whose node makes a block in each pause, and how to push rows to it. */
function startPush(rows: number) {
  const contract = memoryContract();
  contract.automine = false;
  stopClock(() => contract.mine());
  const run = async () => collect(push(contract, await planPush(contract, stageOne, tableOf(rows))));
  return { contract, run };
}

test("a node that takes several transactions in one request gets up to eight", async () => {
  const { contract, run } = startPush(5_000);
  const events = await run();
  expect(events.at(-1)).toMatchObject({ type: "verified" });
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect(contract.requests.slice(0, 2)).toEqual([2, 4]);
  expect(Math.max(...contract.requests)).toBe(8);
  // The first shows how large a transaction may be, so it is alone; some later ones are the only ones with room.
  const alone = contract.submissions - contract.requests.reduce((sum, count) => sum + count, 0);
  expect(alone).toBeLessThan(contract.submissions / 4);
  expect(contract.written).toHaveLength(5_000);
});

test("eight are in flight before the first block, and more than that fill a later one", async () => {
  const { contract, run } = startPush(5_000);
  const sentBefore: number[] = [];
  stopClock(() => {
    sentBefore.push(contract.submissions);
    contract.mine();
  });
  await run();
  expect(sentBefore[0]).toBe(8);
  expect(sentBefore[1]).toBeGreaterThan(16);
});

test.each([
  [1, 1],
  [3, 2],
  [5, 4],
])("a node that takes %d transactions in a request gets more once, then at most %d", async (most, later) => {
  const { contract, run } = startPush(5_000);
  contract.mostTogether = most;
  const events = await run();
  expect(events.map(({ type }) => type)).not.toContain("setback");
  const tooMany = contract.requests.findIndex((count) => count > most);
  expect(tooMany).toBeGreaterThanOrEqual(0);
  expect(Math.max(1, ...contract.requests.slice(tooMany + 1))).toBe(later);
  expect(contract.written).toHaveLength(5_000);
});

test.each([1, 2, 3, 4, 5])("a refusal of transaction %d is filled, and each row is written once", async (refused) => {
  const { contract, run } = startPush(600);
  contract.fate = (n) => (n === refused ? "other" : "take");
  const events = await run();
  const setbacks = events.flatMap((event) => (event.type === "setback" ? [event.error] : []));
  expect(setbacks).toEqual([expect.objectContaining({ code: "BROADCAST_REFUSED", refusal: "other" })]);
  expect(events.at(-1)).toMatchObject({ type: "verified" });
  expect(contract.written).toHaveLength(600);
  expect(contract.lookUps).toBeLessThan(5);
});

test.each(["lose-answer", "lose-request"] as const)(
  "a request that ends with %s writes each row once",
  async (fate) => {
    const { contract, run } = startPush(1_000);
    contract.fate = (n) => (n >= 1 && n <= 2 ? fate : "take");
    const events = await run();
    expect(events.map(({ type }) => type)).not.toContain("setback");
    expect(contract.written).toHaveLength(1_000);
  },
);
