import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { openChromium } from "@vipscore/testkit/openChromium";
import { until } from "@vipscore/testkit/until";
import { runProgram } from "../runProgram.ts";
import { servePage } from "./servePage.ts";
import { withProgram } from "./withProgram.ts";

// What is shown at first, and after a push.
const first = { Stage: "3, open", Score: "350", Rank: "2 of 3", Share: "18.42%" };
const claimed = { "To claim": "stage 2", Pays: "0 umin", Loses: "0 umin", Opens: "105,000,000 umin" };
const pushed = { Stage: "3, open", Score: "3,000", Rank: "1 of 3", Share: "65.93%" };

/** The public test account that has the NFTs, in two spellings; the second in scores.csv, together with a third. */
const bech32 = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const hex = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";

/**
 * Starts the two local rollups of examples/wallet, and opens its built page in Chromium: it shows what is on both, follows them, and
 * shows one if the other fails. With `SCREENSHOTS`, the start of a path, the page is also seen there as `…-read-light-375.png`.
 *
 * @param folder The example, built.
 */
export async function checkWallet(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await withProgram(["node", "local.js"], folder, env, async (check) => {
    await until("two local rollups", async () => {
      check();
      return (await readFile(join(folder, "public/rollups.json"), "utf8")).includes("Beta");
    });
    const chromium = await openChromium();
    const { page, complaints } = chromium;
    try {
      await servePage(page, join(folder, "dist"), join(folder, "public"));
      await checkContent(page);
      await checkLooks(page, "read");
      await checkClaim(page, join(folder, "chains/evm"), env);
      await checkPush(page, join(folder, "chains/evm"), env);
      // Beta's indexer serves no claims.
      strictEqual(complaints.filter((text) => !text.includes("404")).join(), "");
      await checkFailure(page, join(folder, "chains/move"));
      await checkLooks(page, "failed");
    } finally {
      await chromium[Symbol.asyncDispose]();
    }
  });
}

async function checkContent(page: Page): Promise<void> {
  await page.goto("http://localhost/");
  // By keyboard alone, and with a mistake first.
  for (const [typed, shown] of Object.entries({ init1ch49: "not an address", [bech32]: "3, open" })) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
    await page.getByText(shown).first().waitFor();
  }
  for (const rollup of ["Alpha", "Beta"]) await facts(page, rollup, first).waitFor();
  for (const reason of ["METADATA_SCHEME", "IMAGE_NOT_LOADED"]) await page.getByText(`No picture: ${reason}`).waitFor();
  await page.getByText("Load more").focus();
  for (const alphas of [8, 16, 20]) {
    // Two of Beta's nine have none. The button keeps the focus.
    await checkPictures(page, alphas, alphas === 8 ? 6 : 7);
    if (alphas < 20) await page.keyboard.press("Enter");
  }
  strictEqual(await page.getByText("Load more").count(), 0);
  strictEqual(new Set(await page.locator("figcaption").allInnerTexts()).size, 29);
  // The same account, from a link with another spelling.
  await page.goto(`http://localhost/?account=${hex}`);
  await checkPictures(page, 8, 6);
  await facts(page, "Alpha", claimed).waitFor();
  // Beta has no L1.
  strictEqual(await page.getByText("Rewards").count(), 1);
}

/** Waits for as many pictures of Alpha and Beta, all of which have really loaded. */
async function checkPictures(page: Page, alphas: number, betas: number): Promise<void> {
  const pictures = (rollup: string) => page.locator("figure", { hasText: `on ${rollup}` }).locator("img");
  await until(`${alphas} and ${betas} pictures`, async () => {
    if ((await pictures("Alpha").count()) !== alphas || (await pictures("Beta").count()) !== betas) return false;
    const all = page.locator("figure img");
    return all.evaluateAll((images) => images.every((each) => (each as HTMLImageElement).naturalWidth > 0));
  });
}

function facts(page: Page, rollup: string, wanted: Readonly<Record<string, string>>) {
  return page.getByRole("region", { name: rollup }).locator("dl", { hasText: Object.entries(wanted).flat().join("") });
}

/** Compares the claim with what the command writes, and sends it to the local L1. */
async function checkClaim(page: Page, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link").click()]);
  const saved = await messagesIn(await download.path());
  await vipscore(cwd, env, "snapshot", "--stage", "2", "--out", "proofs.json");
  await vipscore(cwd, env, "claim", "--proofs", "proofs.json", "--address", hex, "--out", "signed.json", "--sign");
  deepStrictEqual(saved, await messagesIn(join(cwd, "signed.json")));
  await vipscore(cwd, env, "practice", "send", "signed.json");
  await page.getByText("Nothing to claim now.").waitFor();
}

async function messagesIn(path: string): Promise<unknown> {
  return (JSON.parse(await readFile(path, "utf8")) as { body: { messages: unknown } }).body.messages;
}

function vipscore(cwd: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<string> {
  return runProgram("node", [join(cwd, "../../node_modules/@vipscore/cli/bin/vipscore.js"), ...args], cwd, env);
}

async function checkLooks(page: Page, state: string): Promise<void> {
  const to = process.env["SCREENSHOTS"];
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [375, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      deepStrictEqual(await findAxeFaults(page), [], `${colorScheme}, ${width} pixels`);
      strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), width);
      if (to) await page.screenshot({ path: `${to}-${state}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}

async function checkPush(page: Page, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(cwd, "scores.csv");
  await writeFile(file, (await readFile(file, "utf8")).replace(`${hex},350`, `${hex},3000`));
  await vipscore(cwd, env, "push", "scores.csv", "--stage", "3");
  await facts(page, "Alpha", pushed).waitFor();
}

async function checkFailure(page: Page, cwd: string): Promise<void> {
  process.kill(Number(await readFile(join(cwd, "indexer.pid"), "utf8")));
  // At first what was read before is shown on, after a reload nothing of it is.
  for (const betas of [6, 0]) {
    if (betas === 0) await page.reload();
    for (const what of ["Scores", "NFTs"])
      await page.getByText(`${what} of Beta cannot be read now: INDEXER_UNREACHABLE`).waitFor();
    await checkPictures(page, 8, betas);
  }
  await facts(page, "Alpha", pushed).waitFor();
}
