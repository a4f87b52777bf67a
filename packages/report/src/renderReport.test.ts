import { expect, test } from "vitest";
import { InputError } from "@vipscore/core/errors";
import { formatBech32, parseAccount } from "@vipscore/core/values";
import { decodeRows, rowAt } from "../page/decodeRows.ts";
import { renderReport, type ReportEvidence, type ReportInput } from "./index.ts";
import { countScored, encodeRows, rankRows } from "./rankRows.ts";
import { percent } from "./scoreColumns.ts";
import { accountsOfHalf, countRanges, lorenzCurve } from "./sections/distributionSection.ts";
import { compareStages } from "./sections/stageSections.ts";

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

const evidence: ReportEvidence = {
  recompute: "vipscore audit scores12.manifest.json --policy <folder> --endpoint <url>",
  policy: {
    name: "season 1",
    version: "2",
    sha256: "aa".repeat(32),
    files: [{ name: "policy.sql", bytes: 1_234, sha256: "bb".repeat(32) }],
  },
  window: {
    first: { height: 1_000, hash: "0xf1", time: 1_795_000_000 },
    last: { height: 2_000, hash: "0xf2", time: 1_795_003_600 },
    from: "l1",
  },
  sources: [{ name: "trades", kind: "evm_events", rows: 1_234_567, sha256: "cc".repeat(32) }],
  versions: { vipscore: "0.1.0", duckdb: "v1.5.6" },
  sha256: "dd".repeat(32),
  excluded: 2,
};

test("accounts of a Wasm rollup are written as its chain writes them", () => {
  const page = renderReport({ ...input, contract: { ...input.contract, vm: "wasm" } });
  expect(page).toContain(`<td class="address">${formatBech32(parseAccount(account(2), { accountBytes: [20] }))}</td>`);
  expect(renderReport(input)).toContain(`<td class="address">${account(2)}</td>`);
});

test("the rollup, the times of the stage, and links", () => {
  const links = [{ text: 'Scan "1"', url: "https://scan.example/?a=1&b=2" }];
  const period = { from: 1_795_000_000, to: 1_796_209_600 };
  const page = renderReport({ ...input, rollup: "Game <1>", period, links });
  expect(page.match(/Game &lt;1&gt;/g)).toHaveLength(2);
  expect(page).toMatch(/\b2026-11-18 11:06 UTC\b.*\b2026-12-02 11:06 UTC\b/);
  expect(page).toContain('<a href="https://scan.example/?a=1&amp;b=2">Scan &quot;1&quot;</a>');
  for (const url of ["javascript:alert(1)", "data:text/html,x", "//scan.example", " https://scan.example"])
    expect(() => renderReport({ ...input, links: [{ text: "Scan", url }] })).toThrow(InputError);
});

test("policy and evidence", () => {
  const page = renderReport({ ...input, evidence });
  for (const part of [
    /“season 1”.*\b2\b.*<code>(aa){32}<\/code>/,
    ...["bb", "cc", "dd"].map((digits) => `<code>${digits.repeat(32)}</code>`),
    /\b1,000\b.*\b2,000\b.*\b2026-11-18 11:06 UTC\b.*\b2026-11-18 12:06 UTC\b.*\bL1\b/,
    /<li>trades\b.*\bevm_events\b.*\b1,234,567 rows\b/,
    /<li>policy\.sql\b.*\b1,234 bytes\b/,
    /\b2 accounts\b/,
    /\bvipscore 0\.1\.0\b.*\bDuckDB v1\.5\.6\b/,
    "vipscore audit scores12.manifest.json --policy &lt;folder&gt; --endpoint &lt;url&gt;",
  ]) {
    expect(page).toMatch(part);
  }
  const withoutWindow = renderReport({ ...input, evidence: { ...evidence, window: undefined } });
  expect(withoutWindow).toContain("vipscore audit");
  expect(withoutWindow).not.toContain("2026-11-18");
  expect(renderReport(input)).not.toContain("vipscore audit");
});

test("the page reads the rows that were packed", async () => {
  const rows = [
    ...rowsOf(0n, 1n, 127n, 128n, 2n ** 53n + 1n, 2n ** 64n - 1n),
    { account: `0x${"ab".repeat(32)}`, score: 1n },
  ];
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  const ranked = rankRows(rows, total);
  const decoded = await decodeRows(encodeRows(ranked));
  expect(ranked.map((_, row) => rowAt(decoded, row))).toEqual(ranked);
  const { ranks } = decoded;
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
  const after = rankRows(rowsOf(1n, 5n, 1n, 7n), 14n);
  expect(compareStages(after, before)).toEqual({
    previousTotal: 10n,
    previousAccounts: 4,
    added: 1,
    removed: 1,
    higher: 1,
    lower: 1,
    unchanged: 1,
    movers: [
      { account: account(4), before: 0n, after: 7n },
      { account: account(9), before: 4n, after: 0n },
      { account: account(2), before: 2n, after: 5n },
      { account: account(3), before: 3n, after: 1n },
    ],
  });
  const many = rankRows(rowsOf(...Array.from({ length: 30 }, (_, index) => BigInt(index + 1))), 465n);
  const { movers } = compareStages(many, []);
  expect(movers.map(({ after: score }) => score)).toEqual([30n, 29n, 28n, 27n, 26n, 25n, 24n, 23n, 22n, 21n]);
  const moved = '<span class="tag';
  expect(renderReport({ ...input, previous: { stage: 0n, rows: rowsOf(1n) } })).toContain(moved);
  expect(renderReport({ ...input, previous: { stage: 0n, rows: input.rows } })).not.toContain(moved);
});

test("ranks: equal scores share one, and only accounts with a score are counted", () => {
  const ranked = rankRows(rowsOf(5n, 7n, 0n, 5n, 1n, 0n), 18n);
  expect(ranked.map(({ score, rank }) => [score, rank])).toEqual([
    [7n, 1],
    [5n, 2],
    [5n, 2],
    [1n, 4],
    [0n, 5],
    [0n, 5],
  ]);
  expect(countScored(ranked)).toBe(4);
  expect(countScored(rankRows(rowsOf(0n), 0n))).toBe(0);
});

test("large numbers are exact", () => {
  const page = renderReport({
    ...input,
    total: 2n ** 64n - 1n,
    rows: rowsOf(2n ** 64n - 2n ** 53n - 2n, 2n ** 53n + 1n),
  });
  for (const text of ["18,446,744,073,709,551,615", "18,437,736,874,454,810,622", "9,007,199,254,740,993"])
    expect(page.replaceAll("<wbr>", "")).toContain(`>${text}<`);
});

test("a share is rounded down, and a small one is not 0", () => {
  expect([percent(1n, 3n), percent(2n ** 64n - 2n, 2n ** 64n - 1n), percent(1n, 10_001n), percent(0n, 0n)]).toEqual([
    "33.33 %",
    "99.99 %",
    "< 0.01 %",
    "0.00 %",
  ]);
});

test("one account has everything", () => {
  const page = renderReport({ ...input, total: 3n, rows: rowsOf(3n) });
  expect(page).toMatch(/\b1 of 1 account\b/);
  expect(page).toContain("100.00 %");
});

test("hostile text ends no block of the page", () => {
  const text = `</script></style><script>alert(1)</script><!-- "'`;
  const plain = renderReport(input);
  const page = renderReport({
    ...input,
    contract: { vm: text, chainId: text, address: text },
    snapshot: { bridgeId: 1n, root: text, l1: { status: "differs", text } },
    push: { file: text, sha256: text, price: text, transactions: [], verification: undefined },
    evidence: {
      ...evidence,
      recompute: text,
      policy: { name: text, version: text, sha256: text, files: [{ name: text, bytes: 1, sha256: text }] },
      window: { first: { height: 1, hash: text, time: 1 }, last: { height: 2, hash: text, time: 2 }, from: "policy" },
      sources: [{ name: text, kind: text, rows: 1, sha256: text }],
      versions: { vipscore: text, duckdb: text },
      sha256: text,
    },
  });
  const tags = (html: string): readonly string[] => html.match(/<\/?(?:script|style)|<!--/g) ?? [];
  expect(tags(page)).toEqual(tags(plain));
});

test("the same rows in another order give the same page", () => {
  expect(renderReport({ ...input, rows: rowsOf(1n, 2n).reverse() })).toBe(renderReport(input));
});

test.each([[], rowsOf(0n)])("a stage without scores, %#", (...rows) => {
  // Neither charts nor a table of the highest scores.
  const content = /<svg|<tbody><tr/;
  expect(renderReport(input)).toMatch(content);
  expect(renderReport({ ...input, total: 0n, rows })).not.toMatch(content);
});

test.each([
  ["another total", { total: 4n }],
  ["an address that is markup", { total: 1n, rows: [{ account: "<script>", score: 1n }] }],
  ["an account twice", { rows: [rowsOf(1n), rowsOf(2n)].flat() }],
  [
    "an account in two forms",
    { rows: [{ account: `0x${account(1).slice(2).padStart(64, "0")}`, score: 1n }, ...rowsOf(2n)] },
  ],
  ["an earlier stage with markup", { previous: { stage: 0n, rows: [{ account: "<script>", score: 1n }] } }],
  ["a negative score", { total: -1n, rows: [{ account: account(1), score: -1n }] }],
] as const)("refuses %s", (_, change) => {
  expect(() => renderReport({ ...input, ...change })).toThrow(
    expect.objectContaining({ code: "INPUT_INVALID" }) as Error,
  );
});
