import { expect, test, vi } from "vitest";
import { collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import { stopClock } from "../../test/virtualTime.ts";
import { FeeBudget } from "./feeBudget.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import type { PushEvent } from "./pushEvent.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

test("a price that jumps pauses a push with nothing in flight, and the next push continues", async () => {
  const contract = memoryContract();
  const table = tableOf(1_000);
  const plan = await planPush(contract, stageOne, table);
  expect(plan.maxFee).toBe(3n * plan.price);
  const events: PushEvent[] = [];
  const pushing = async (): Promise<void> => {
    for await (const event of push(contract, plan)) {
      events.push(event);
      if (event.type === "confirmed") contract.nodePrice = 100n;
    }
  };
  await expect(pushing()).rejects.toMatchObject({ code: "FEE_LIMIT" });
  const countOf = (wanted: PushEvent["type"]) => events.filter(({ type }) => type === wanted).length;
  expect(countOf("sent")).toBeGreaterThan(0);
  expect(countOf("confirmed")).toBe(countOf("sent"));
  contract.fees = { ...contract.fees, gasPrice: { amount: 100n, per: 1n } };
  const rest = await collect(push(contract, await planPush(contract, stageOne, table)));
  expect(rest.at(-1)).toMatchObject({ type: "verified" });
  expect(contract.written).toHaveLength(1_000);
});

test("a maximum below the price sends nothing; one of exactly the price is enough", async () => {
  const contract = memoryContract();
  contract.automine = false;
  stopClock(() => contract.mine());
  const { price } = await planPush(contract, stageOne, tableOf(1_000));
  const low = await planPush(contract, stageOne, tableOf(1_000), { maxFee: price - 1n });
  await expect(collect(push(contract, low))).rejects.toMatchObject({ code: "FEE_LIMIT" });
  expect(contract.submissions).toBe(0);
  const events = await collect(push(contract, await planPush(contract, stageOne, tableOf(1_000), { maxFee: price })));
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect(contract.written).toHaveLength(1_000);
});

test("a receipt with more gas than the limit costs no more than what was signed", () => {
  const budget = new FeeBudget(100n);
  budget.signed({ hash: "a", sequence: 1n, gas: 30n, bytes: new Uint8Array(), fee: 30n });
  budget.settled(1n, { state: "included", height: 1n, gasUsed: 5_000n, succeeded: true, fee: 5_000n });
  expect(budget.leftFor(2n)).toBe(70n);
});

test("transactions that can cost twice the price wait for the receipts of others, and cost what these say", async () => {
  const contract = memoryContract();
  contract.automine = false;
  contract.cap = 2n;
  stopClock(() => contract.mine());
  const { price } = await planPush(contract, stageOne, tableOf(3_000));
  const plan = await planPush(contract, stageOne, tableOf(3_000), { maxFee: (price * 12n) / 10n });
  const events = await collect(push(contract, plan));
  expect(events.map(({ type }) => type)).not.toContain("setback");
  expect(contract.written).toHaveLength(3_000);
});
