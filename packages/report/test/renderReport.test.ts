import { expect, test } from "vitest";
import { addressAt, decodeRows } from "../page/decodeRows.ts";
import { compareStages } from "../src/compareStages.ts";
import { accountsOfHalf, countRanges, lorenzCurve } from "../src/distribution.ts";
import { encodeRows } from "../src/encodeRows.ts";
import { renderReport, type ReportInput } from "../src/index.ts";
import { rankRows } from "../src/rankRows.ts";

const account = (index: number): string => `0x${index.toString(16).padStart(40, "0")}`;
const rowsOf = (...scores: readonly bigint[]): { readonly account: string; readonly score: bigint }[] =>
  scores.map((score, index) => ({ account: account(index + 1), score }));

const input: ReportInput = {
  stage: 1n,
  contract: { vm: "evm", chainId: "1", address: "0x1" },
  height: 5n,
  isFinalized: false,
  total: 3n,
  rows: rowsOf(1n, 2n),
};

test("the page reads the rows that were packed", async () => {
  const rows = [
    ...rowsOf(0n, 1n, 127n, 128n, 2n ** 53n + 1n, 2n ** 64n - 1n),
    { account: `0x${"ab".repeat(32)}`, score: 1n },
  ];
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  const ranked = rankRows(rows, total);
  const { addresses, scores, ranks } = await decodeRows(encodeRows(ranked));
  expect(Array.from(scores, (score, row) => ({ account: addressAt(addresses, row), score, rank: ranks[row] }))).toEqual(
    ranked,
  );
  expect([...ranks]).toEqual([1, 2, 3, 4, 5, 5, 7]);
});

test("distribution", () => {
  const ranked = rankRows(rowsOf(0n, 1n, 1n, 4n, 50n, 2n ** 64n - 1n), 2n ** 64n + 55n);
  const ranges = countRanges(ranked).filter(({ accounts }) => accounts > 0);
  expect(ranges.map(({ from, accounts }) => [from, accounts])).toEqual([
    [1n, 2],
    [2n, 1],
    [50n, 1],
    [10n ** 19n, 1],
  ]);
  expect(lorenzCurve(ranked, 2n ** 64n + 55n).at(-1)).toEqual({ accounts: 1, score: 1 });
  expect(accountsOfHalf(ranked, 2n ** 64n + 55n)).toBe(1);
  expect(countRanges([])).toEqual([]);
});

test("change since a stage", () => {
  const before = [...rowsOf(1n, 2n, 3n, 0n), { account: account(9), score: 4n }];
  expect(compareStages(rowsOf(1n, 5n, 1n, 7n), { stage: 1n, rows: before })).toEqual({
    previousStage: 1n,
    previousTotal: 10n,
    previousAccounts: 4,
    added: 1,
    removed: 1,
    higher: 1,
    lower: 1,
    unchanged: 1,
  });
});

test("the same rows in another order give the same page", () => {
  expect(renderReport({ ...input, rows: rowsOf(1n, 2n).reverse() })).toBe(renderReport(input));
});

test("a stage without rows", () => {
  expect(renderReport({ ...input, total: 0n, rows: [] })).toContain("No account has a score");
});

test.each([
  ["another total", { total: 4n }],
  ["an address that is markup", { total: 1n, rows: [{ account: "<script>", score: 1n }] }],
  ["a negative score", { total: -1n, rows: [{ account: account(1), score: -1n }] }],
] as const)("refuses %s", (_, change) => {
  expect(() => renderReport({ ...input, ...change })).toThrow(
    expect.objectContaining({ code: "INPUT_INVALID" }) as Error,
  );
});
