import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Account } from "@vipscore/core";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { openChromium } from "@vipscore/testkit/openChromium";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { createApi } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { openStore } from "../../src/store/openStore.ts";
import { bridgeId, startClaimsL1, storeStage, type ScoredRows } from "../scores/claimsOnL1.ts";

const accountOf = (number: number): Account => `0x${number.toString(16).padStart(40, "0")}` as Account;
const rows: ScoredRows = Array.from({ length: 60 }, (_, at) => [accountOf(at + 1), BigInt(at)] as const);

/** The page over a database in memory, and a local L1 with the snapshots of stages 2 and 3. */
const served = started(async () => {
  const l1 = await startClaimsL1();
  const store = await openStore(":memory:");
  await store.scores.begin(
    { vm: "evm", chainId: "31337", address: "0x8E88A58b6912513002Ec36023CBCe51106ee3573" },
    bridgeId,
  );
  for (const stage of [2n, 3n]) {
    await storeStage(store, stage, rows);
    await l1.endStage(stage, rows);
  }
  const watch = l1.watch(store);
  await until("the end of the challenge period", async () => {
    await watch.read(undefined);
    const { current, stages = [] } = watch.view ?? {};
    const last = stages.at(-1)?.snapshot?.createdAt.getTime() ?? Infinity;
    return current !== undefined && current.time.getTime() > last + 1000 ? true : undefined;
  });
  const server = await serveApi({ api: createApi({ store, l1: watch }), host: "127.0.0.1", port: 0 });
  const browser = await openChromium();
  const dispose = async () => {
    await browser[Symbol.asyncDispose]();
    await server.close();
    await store.close();
    await l1[Symbol.asyncDispose]();
  };
  return { ...browser, l1, url: server.url, [Symbol.asyncDispose]: dispose };
});

async function search(account: Account): Promise<void> {
  await served.page.fill("#address", account);
  await served.page.press("#address", "Enter");
  await served.page.locator("#result p.address", { hasText: account }).waitFor();
}

test("the page shows what an account can claim, and saves the transaction that the API serves", async () => {
  const { page, url, l1, complaints } = served;
  await page.goto(url);
  await search(accountOf(9));
  await page.locator("h3", { hasText: `Claim on ${l1.chainId}` }).waitFor();
  const tiles = await page.locator("#result dl").last().innerText();
  expect(tiles.split("\n").filter((line) => line !== "")).toEqual([
    "Stages",
    "2, 3",
    "Pays now",
    expect.stringMatching(/^[\d,]+ umin$/),
    "Opens for later claims",
    expect.stringMatching(/^[\d,]+ umin$/),
  ]);
  const saving = page.waitForEvent("download");
  await page.getByText("Save the transaction").click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe(`claim-${accountOf(9)}.json`);
  const answer = await fetch(`${url}/scores/v1/accounts/${accountOf(9)}/claims`);
  const { registrations } = (await answer.json()) as { readonly registrations: readonly { readonly claim: object }[] };
  const saved: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(registrations).toMatchObject([{ claim: { transaction: saved } }]);
  // A reader's place is kept while the page looks again.
  const link = page.locator("a[download]");
  await link.focus();
  await page.waitForResponse((response) => response.url().endsWith("/claims"));
  await page.waitForResponse((response) => response.url().endsWith("/status"));
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  await search(accountOf(1));
  await page.getByText("Nothing to claim.").waitFor();
  expect(complaints).toEqual([]);
});

test.each([
  ["light", 375],
  ["dark", 1440],
] as const)("axe finds nothing in a claim in %s at %i pixels", async (colorScheme, width) => {
  const { page } = served;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await search(accountOf(9));
  await page.getByText("Show the transaction").click();
  const session = await page.context().newCDPSession(page);
  // The policy of the page allows it no other script.
  await session.send("Page.setBypassCSP", { enabled: true });
  expect(await findAxeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  const shots = process.env["SCREENSHOTS"];
  if (shots !== undefined) await page.screenshot({ path: `${shots}/claim-${width}.png`, fullPage: true });
});
