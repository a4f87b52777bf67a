import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { openChromium, type OpenChromium } from "@vipscore/testkit/openChromium";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { addressOf, csvOf, openTestFolder, type CliResult } from "../harness.ts";
import { setStage, startL1, u64 } from "../localL1.ts";
import { broadcastFile } from "../proposalL1.ts";

const bridgeId = 8n;
const { deployer } = testAccounts;
const l1 = started(() => startL1());
const folder = started(async () => openTestFolder(await startVipnode({ vm: "move" }), l1.endpoint));
beforeAll(async () => {
  // An interval of a day, four stages of vesting, no challenge period and no minimum of the bridge.
  await l1.call("set_parameters", ...[86_400n, 4n, 0n, 0n].map(u64));
  await setStage(l1, 1n);
  await l1.register(bridgeId, await folder.deploy(2), 0n);
  await l1.call("advance_stage");
  await folder.write("scores.csv", `${csvOf(50)}${deployer.address},500\n`);
  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  await l1.call("advance_stage");
});

/** Opens a report of the stage in Chromium. */
async function openReport(name: string): Promise<OpenChromium> {
  await folder.ok(["report", "--stage", "2", "--bridge-id", `${bridgeId}`, "--out", name]);
  const browser = await openChromium();
  const { page } = browser;
  await page.goto(pathToFileURL(join(folder.cwd, name)).href);
  await page.locator("html[data-state=ready]").waitFor({ state: "attached" });
  return browser;
}

async function search(page: Page, address: string): Promise<void> {
  await page.fill("#address", address);
  await page.press("#address", "Enter");
}

/** Writes the claim of an account with the command, once the challenge period is over. */
const writeClaim = (address: string, out: string): Promise<CliResult> =>
  until("the end of the challenge period", async () => {
    const args = ["claim", "--proofs", "proofs.json", "--address", address, "--out", out];
    // The page has one limit for all accounts; the command simulates.
    const result = await folder.cli([...args, "--gas", "1050000"]);
    return result.status === 0 ? result : undefined;
  });

test("no claim while the scores can change", async () => {
  await using report = await openReport("open.html");
  await search(report.page, deployer.address);
  await report.page.locator("#result .good").waitFor();
  expect(await report.page.locator("#result .claim").count()).toBe(0);
});

test("each account's claim is what the command writes; L1 takes it", async () => {
  await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
  const { root, total } = await folder.ok([
    "snapshot",
    "--stage",
    "2",
    "--bridge-id",
    `${bridgeId}`,
    "--out",
    "proofs.json",
  ]);
  await l1.submit(bridgeId, 2n, root as string, BigInt(total as string));
  await using report = await openReport("claims.html");
  const { page } = report;
  const accounts = [deployer.address, addressOf(0xabc001), `0x${"7".repeat(64)}`, `0x${"8".repeat(40)}`];
  for (const [index, account] of accounts.entries()) {
    const name = `claim${index}.json`;
    await writeClaim(account, name);
    const written = await readFile(join(folder.cwd, name), "utf8");
    await search(page, account);
    const claim = page.locator("#result", { hasText: account }).locator(".claim");
    await claim.waitFor();
    expect(await claim.locator("pre").textContent()).toBe(written);
    const [download] = await Promise.all([page.waitForEvent("download"), claim.locator("a").click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^claim-stage2-${account}\\.json$`, "i"));
    expect(await readFile(await download.path(), "utf8")).toBe(written);
  }
  expect(await page.locator("#result .good").count()).toBe(0);

  // Signed by its account, the same message is what L1 executes.
  const signed = ["--out", "signed.json", "--sign"];
  await folder.ok(["claim", "--proofs", "proofs.json", "--address", deployer.address, ...signed]);
  const messages = async (file: string): Promise<unknown> =>
    (JSON.parse(await readFile(join(folder.cwd, file), "utf8")) as { readonly body: { readonly messages: unknown } })
      .body.messages;
  expect(await messages("signed.json")).toEqual(await messages("claim0.json"));
  expect(await broadcastFile(l1, folder.cwd, "signed.json")).toBe("");
});

test("no claim of a snapshot that L1 has otherwise", async () => {
  await l1.call("set_parameters", ...[86_400n, 4n, 86_400n, 0n].map(u64));
  await l1.challenge(bridgeId, 2n, "ab".repeat(32), 1n);
  expect(
    (await folder.cli(["report", "--stage", "2", "--bridge-id", `${bridgeId}`, "--out", "wrong.html"])).status,
  ).toBe(3);
  expect(await readFile(join(folder.cwd, "wrong.html"), "utf8")).toContain('"claim":null');
});
