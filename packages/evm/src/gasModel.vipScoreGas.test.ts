import { expect, test } from "vitest";
import { stage, type Account } from "@vipscore/core";
import { scriptedRpc } from "../test/scriptedRpc.ts";
import { priceIdentified, vipScoreGas, type IdentifiedRow } from "./gasModel.ts";

const accountAt = (id: number) => `0x${id.toString(16).padStart(40, "0")}` as Account;

function row(name: number, id: number, current: bigint | undefined): IdentifiedRow {
  return { account: accountAt(name), score: 5n, current, accountId: id };
}

test("rows are ordered by id, unknown accounts last in the given order", () => {
  const rows = [row(9, 0, undefined), row(3, 300, 1n), row(8, 0, undefined), row(1, 2, 1n), row(2, 17, 1n)];
  const priced = priceIdentified(rows);
  expect(priced.map(({ account }) => account)).toEqual([1, 2, 3, 9, 8].map(accountAt));
  expect(priced.every(({ score }) => score === 5n)).toBe(true);
});

test("neighbors in a group share its slot", () => {
  const [first, second, , fourth] = priceIdentified([4, 5, 6, 8].map((id) => row(id, id, 1n)));
  expect(second?.gas).toBeLessThan((first?.gas ?? 0n) - 4_000n);
  expect(fourth?.gas).toBe(first?.gas);
});

test("a group without a score counts as new, one with any score as used", () => {
  const [fresh] = priceIdentified([row(1, 4, 0n), row(2, 5, undefined)]);
  const [used] = priceIdentified([row(1, 4, 0n), row(2, 5, 3n)]);
  expect((fresh?.gas ?? 0n) - (used?.gas ?? 0n)).toBe(17_250n);
});

test("a row that is new in the stage pays for its bucket and span once", () => {
  const ids = [1, 4, 256, 4096];
  const [first, second, third, fourth] = priceIdentified(ids.map((id) => row(id, id, undefined)));
  expect((first?.gas ?? 0n) - (second?.gas ?? 0n)).toBe(23_100n + 22_300n);
  expect((third?.gas ?? 0n) - (second?.gas ?? 0n)).toBe(23_100n);
  expect(fourth?.gas).toBe(first?.gas);
});

test("no rows, no prices", () => {
  expect(priceIdentified([])).toEqual([]);
});

test("one read shows that a contract knows no account", async () => {
  const rpc = scriptedRpc({ eth_call: `0x${"0".repeat(64)}` });
  const { priceRows } = vipScoreGas({ rpc, address: accountAt(1) });
  const rows = Array.from({ length: 2_500 }, (_, n) => ({ account: accountAt(n + 1), score: 5n, current: undefined }));
  const priced = await priceRows(rows, { stage: stage(1n), height: 1n, scores: new Map() });
  expect(priced).toHaveLength(2_500);
  expect(rpc.asked).toEqual(["eth_call"]);
});
