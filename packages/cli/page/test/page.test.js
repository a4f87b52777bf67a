// Opens the page in Chromium after `npm run local`, and compares what it shows with scores.csv.
import { deepStrictEqual } from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { createServer } from "vite";

await test("the page shows an account's score, rank, proof and NFTs", async () => {
  const server = await createServer({ server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  // A Chromium of your own, or that of `npx playwright-core install chromium`.
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(server.resolvedUrls.local[0]);
    // The second in scores.csv, together with a third.
    await page.fill("#address", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6");
    await page.press("#address", "Enter");
    await page.locator("dd").nth(2).waitFor();
    deepStrictEqual(await page.locator("dt, dd").allTextContents(), [
      "Stage 2, which still counts",
      "350 points, rank 2 of 3",
      "Stage 1, to claim",
      "350 points, proved by its snapshot",
      "NFTs",
      process.env.NFTS ?? "None.",
    ]);
    deepStrictEqual(errors, []);
    // The answers to an earlier question come late.
    const held = Promise.withResolvers();
    await page.route("**/proofs.json", (route) => held.resolve(route), { times: 1 });
    await page.press("#address", "Enter");
    const late = await held.promise;
    await page.fill("#address", "0x8cad25ec80a10522c258e2f59abf0006c9445d1b");
    await page.press("#address", "Enter");
    await page.locator("dd", { hasText: "1,200 points, rank 1 of 3" }).waitFor();
    const answered = page.waitForResponse("**/proofs.json");
    await late.continue();
    await answered;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    deepStrictEqual(await page.locator("dd").count(), 3);
    await page.route("**/rollup.json", (route) =>
      route.fulfill({ json: { vm: "evm", url: server.resolvedUrls.local[0] } }),
    );
    await page.press("#address", "Enter");
    await page.locator("#status", { hasText: "names no contract" }).waitFor();
    await page.fill("#address", "0xc5");
    await page.press("#address", "Enter");
    await page.locator("#status", { hasText: "address" }).waitFor();
  } finally {
    await browser.close();
    await server.close();
  }
});
