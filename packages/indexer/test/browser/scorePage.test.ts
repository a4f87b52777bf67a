import { expect, test } from "vitest";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { openChromium } from "@vipscore/testkit/openChromium";
import { started } from "@vipscore/testkit/started";
import { createApi } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { openStore } from "../../src/store/openStore.ts";
import { scoreStage } from "../scores/scoreStage.ts";

/** The page over a database in memory. */
const served = started(async () => {
  const store = await openStore(":memory:");
  const server = await serveApi({ api: createApi({ store }), host: "127.0.0.1", port: 0 });
  const browser = await openChromium();
  const dispose = async () => {
    await browser[Symbol.asyncDispose]();
    await server.close();
    await store.close();
  };
  return { ...browser, store, url: server.url, [Symbol.asyncDispose]: dispose };
});

const accountOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

/** Stores scores of a stage, whose first one is finalized: account n has `scoreOf(n)`. */
function score(number: number, height: number, accounts: number, scoreOf: (account: number) => number): Promise<void> {
  const rows = Array.from({ length: accounts }, (_, index) => [accountOf(index + 1), scoreOf(index + 1)] as const);
  return scoreStage(served.store, { number, height, isFinalized: number === 1 }, rows);
}

async function search(text: string): Promise<void> {
  await served.page.fill("#address", text);
  await served.page.press("#address", "Enter");
}

const lines = () => served.page.locator("#rows tr").allInnerTexts();

test("the page follows the stage, searches, and shows an account's stages", async () => {
  const { page, url, complaints } = served;
  await page.goto(url);
  await page.locator("#status", { hasText: "No stage is indexed yet." }).waitFor();
  await score(1, 5, 60, (account) => account);
  await page.locator("#status", { hasText: "Finalized. Last change in block 5" }).waitFor();
  expect((await lines())[0]).toMatch(/^1\s+0x0{38}3c\s+60\s/);
  await page.click("#more");
  await expect.poll(async () => (await lines()).length).toBe(60);
  await score(2, 9, 3, (account) => 10 - account);
  await page.locator("#status", { hasText: "Open: scores can still change. Last change in block 9" }).waitFor();
  expect((await lines()).map((line) => line.split(/\s+/).slice(0, 3))).toEqual(
    [1, 2, 3].map((account) => [String(account), accountOf(account), String(10 - account)]),
  );
  await page.locator("#rows button").nth(1).click();
  await page.locator("#result dl", { hasText: "Rank2" }).waitFor();
  expect(await page.getByRole("img").getAttribute("aria-labelledby")).toBe("plot-title");
  expect(await page.locator("#plot-title").textContent()).toBe("Scores in 2 stages: 2 in stage 1, 8 in stage 2");
  await score(2, 11, 3, (account) => account);
  await page.locator("#result dl", { hasText: "Score2" }).waitFor();
  await search(accountOf(99));
  await page.locator("#result dl", { hasText: "Ranknone" }).waitFor();
  await search("0xzz");
  await page.locator("#result .bad", { hasText: "invalid address" }).waitFor();
  await page.selectOption("#stages", "1");
  await page.locator("#status", { hasText: "Finalized. Last change in block 5" }).waitFor();
  // The refused address is the only one.
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

test.each([
  ["light", 375],
  ["dark", 1440],
] as const)("axe finds nothing in %s at %i pixels, and nothing is cut off", async (colorScheme, width) => {
  const { page } = served;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await search(accountOf(2));
  await page.locator("#result svg").waitFor();
  // The policy of the page allows it no other script.
  await page
    .context()
    .newCDPSession(page)
    .then((session) => session.send("Page.setBypassCSP", { enabled: true }));
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
});

test("the keyboard reaches everything in the order of the page", async () => {
  const { page } = served;
  await page.evaluate(() => document.body.focus());
  await page.focus("#stages");
  const order: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press("Tab");
    order.push(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || ""));
  }
  expect(order).toEqual(["address", "Find", accountOf(60)]);
});
