import { parseArgs } from "node:util";
import { buildSnapshot } from "@vipscore/snapshot";
import { renderReport } from "../src/index.ts";
import { openReport } from "../test/browser/openReport.ts";

// Measures a report in Chromium; figures are in docs/performance.md.
// node --conditions=@vipscore/source scripts/benchPage.ts --rows 100000

const { values } = parseArgs({ options: { rows: { type: "string", default: "100000" } } });
const count = Number(values.rows);
if (!Number.isSafeInteger(count) || count < 2) throw new Error("--rows is a number from 2 on");

/** Spreads numbers over 64 bits: addresses and scores that look random, as they do not compress. */
const spread = (index: number): bigint => BigInt.asUintN(64, BigInt(index) * 0x9e3779b97f4a7c15n);
const hexOf = (index: number): string => spread(index).toString(16).padStart(16, "0");
const rows = Array.from({ length: count }, (_, index) => ({
  account: `0x${hexOf(index + 1)}${hexOf(index + 77_777_777)}${hexOf(index + 999_999_999).slice(8)}`,
  score: (spread(index) % 1_000_000n) + 1n,
}));
const total = rows.reduce((sum, { score }) => sum + score, 0n);
const { root } = buildSnapshot({ bridgeId: 7n, stage: 12n, rows, total });

function print(what: string, value: number, unit = "ms"): void {
  process.stdout.write(`${what.padEnd(32)}${Math.round(value).toLocaleString("en-US").padStart(12)} ${unit}\n`);
}

const timed = async <T>(what: string, run: () => T | Promise<T>): Promise<T> => {
  const start = performance.now();
  const result = await run();
  print(what, performance.now() - start);
  return result;
};

const html = await timed("render", () =>
  renderReport({
    stage: 12n,
    contract: { vm: "evm", chainId: "bench", address: "0x1" },
    height: 1n,
    isFinalized: true,
    total,
    rows,
    snapshot: { bridgeId: 7n, root, l1: { status: "notCompared", text: "not compared" } },
  }),
);
print("page", Buffer.byteLength(html), "bytes");
const report = await openReport(html);
try {
  const { page } = report;
  await page.addInitScript(() => {
    new PerformanceObserver((tasks) => {
      for (const { duration } of tasks.getEntries()) {
        const longest = Math.max(duration, Number(sessionStorage.getItem("longest")));
        sessionStorage.setItem("longest", `${longest}`);
      }
    }).observe({ type: "longtask", buffered: true });
  });
  await timed("open, until the list is there", async () => {
    await page.reload({ waitUntil: "commit" });
    await page.locator("html[data-state=ready]").waitFor({ state: "attached" });
  });
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  print("first paint", painted ?? NaN);
  const search = async (row: number, which: string): Promise<void> => {
    await page.fill("#address", rows[row]?.account ?? "");
    await page.press("#address", "Enter");
    await timed(`${which} search`, () => page.locator("#result dl").waitFor());
    await timed(`${which} proof, after the search`, () => page.locator("#result .good").waitFor({ timeout: 600_000 }));
  };
  await search(count >> 1, "first");
  await page.fill("#address", "none");
  await page.press("#address", "Enter");
  await page.locator("#result .bad").waitFor();
  await search(count >> 2, "next");
  await page.press("#list", "End");
  await page.locator(`tr[aria-rowindex="${count + 1}"]`).waitFor();
  const longest = await page.evaluate(() => Number(sessionStorage.getItem("longest")));
  print("longest task of the page thread", longest);
} finally {
  await report[Symbol.asyncDispose]();
}
