import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { started } from "@vipscore/testkit/started";
import { openReport } from "./openReport.ts";
import { known, sampleReport } from "./sampleReport.ts";

const report = started(() => openReport(sampleReport()));

async function openAll(page: Page): Promise<void> {
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) details.toggleAttribute("open", true);
  });
}

const findFaults = () => findAxeFaults(report.page, 20);

test.each([
  ["light", 375],
  ["light", 1440],
  ["dark", 375],
  ["dark", 1440],
] as const)("axe finds nothing in %s at %i pixels", async (colorScheme, width) => {
  const { page } = report;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  expect(await findFaults()).toEqual([]);
  await page.fill("#address", known.account);
  await page.press("#address", "Enter");
  await page.locator("#result .good").waitFor();
  await openAll(page);
  expect(await findFaults()).toEqual([]);
  await page.fill("#address", "nothing");
  await page.press("#address", "Enter");
  await page.locator("#result .bad").waitFor();
  expect(await findFaults()).toEqual([]);
});

test("print shows the facts, black on white, without search and list", async () => {
  const { page } = report;
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const look = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    return { backgroundColor, color };
  });
  expect(look).toEqual({ backgroundColor: "rgb(255, 255, 255)", color: "rgb(0, 0, 0)" });
  expect(await page.locator("h2:visible").count()).toBe((await page.locator("h2").count()) - 2);
  expect(await page.locator("#find:visible, #all:visible").count()).toBe(0);
  expect(await page.locator("svg:visible").count()).toBe(2);
  expect(await page.locator("summary:visible, input:visible").count()).toBe(0);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  await page.emulateMedia({ media: null });
});

/** Runs in the page: the name and the ID of the element that has the focus. */
function focused(): string {
  const { localName = "", id = "" } = document.activeElement ?? {};
  return id === "" ? localName : `${localName}#${id}`;
}

test("the keyboard reaches everything in the order of the page", async () => {
  await using fresh = await openReport(sampleReport());
  const { page } = fresh;
  const order: string[] = [];
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press("Tab");
    order.push(await page.evaluate(focused));
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    expect(outline).toBe("solid");
  }
  // The search, the numbers of both charts, the list of accounts, the policy's files and command, the transactions.
  expect(order).toEqual(["input#address", "button", "summary", "summary", "div#list", "summary", "pre", "summary"]);
  await page.focus("#address");
  await page.keyboard.type(known.account);
  await page.keyboard.press("Enter");
  await page.locator("#result .good").waitFor();
  await page.keyboard.press("Tab");
  // Both are below the result: the proof to save, and to show.
  for (const expected of ["a", "summary"]) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(focused)).toBe(expected);
  }
});

test("charts have names, descriptions and their numbers as tables", async () => {
  const { page } = report;
  const charts = page.getByRole("img");
  expect(await charts.count()).toBe(2);
  for (const [index, description] of [/\b2\b.*\b19,999,999\b.*\b432\b/, /\b\d+\.\d %/].entries()) {
    const chart = charts.nth(index);
    expect(await chart.locator("> title").textContent()).toMatch(/\w/);
    expect(await chart.locator("> desc").textContent()).toMatch(description);
    expect(await page.getByRole("figure").nth(index).locator("table").count()).toBe(1);
  }
});

test("scores of 16 digits are in sight in the list at 375 pixels", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({
    account: `0x${String(index + 1).padStart(40, "0")}`,
    score: 2n ** 53n + BigInt(index),
  }));
  const contract = { vm: "wasm", chainId: "miniwasm-2", address: "init1x" } as const;
  const total = rows.reduce((sum, { score }) => sum + score, 0n);
  await using list = await openReport(sampleReport({ rows, total, contract, snapshot: undefined }));
  const { page } = list;
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await page.locator("#list").evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  expect(await page.locator("#shown td").nth(2).textContent()).toBe("9,007,199,254,741,011");
});

test("the largest numbers fit 375 pixels, uncut", async () => {
  const largest = 2n ** 64n - 1n;
  const rows = [{ account: known.account, score: largest }];
  await using wide = await openReport(
    sampleReport({ rows, total: largest, snapshot: undefined, previous: { stage: 11n, rows: [] } }),
  );
  const { page } = wide;
  await page.setViewportSize({ width: 375, height: 800 });
  await openAll(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("td:not(.address)")]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent),
  );
  expect(cut).toEqual([]);
});
