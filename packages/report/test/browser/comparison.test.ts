import { expect, test } from "vitest";
import { parseAccount, ScoreTable } from "@vipscore/core";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { started } from "@vipscore/testkit/started";
import { compareScores, renderComparison } from "../../src/index.ts";
import { openReport } from "./openReport.ts";

const largest = 2n ** 64n - 1n;
const accountOf = (index: number) =>
  parseAccount(
    `0x${(BigInt(index + 1) * 0x9e3779b97f4a7c15f39cc0605cedc8341n).toString(16).padStart(40, "0").slice(-40)}`,
    { accountBytes: [20] },
  );

/** Tables with changes of all kinds, and scores as large as they get. */
const tableOf = (first: number, scoreOf: (index: number) => bigint) =>
  ScoreTable.from(
    Array.from({ length: 200 }, (_, index) => ({ account: accountOf(first + index), score: scoreOf(first + index) })),
  );
const before = tableOf(0, (index) => (index === 40 ? largest / 2n : BigInt((index * 7919) % 5000) ** 4n));
const after = tableOf(25, (index) => (index === 41 ? largest / 3n : BigInt((index * 104_729) % 5000) ** 4n));
const sql = ["- sum(volume) as score", "+ sum(least(volume, 10000)) as score"];
const html = renderComparison({
  names: "policies/season1 and policies/season2",
  comparison: compareScores(before, after),
  files: [
    { name: "policy.sql", lines: sql },
    { name: "policy.toml", lines: ['- version = "1"', '+ version = "2"'] },
  ],
});
const opened = started(() => openReport(html, "html"));

test.each([
  ["light", 1440],
  ["dark", 375],
] as const)("axe finds nothing in %s at %i pixels, and all numbers fit", async (colorScheme, width) => {
  const { page, requests, complaints } = opened;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  expect(await findAxeFaults(page, 20)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  expect(requests).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test("the chart has a name and a description", async () => {
  const { page } = opened;
  expect(await page.getByRole("img").count()).toBe(1);
  expect(await page.locator("svg > desc").textContent()).toMatch(/\b\d+\.\d{4} %.*\b\d+\.\d{4} %/);
  expect(await page.locator("svg rect").count()).toBe(20);
});
