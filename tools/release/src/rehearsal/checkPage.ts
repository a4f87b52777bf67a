import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "@vipscore/testkit/findChromium";

/** The values that the page of `projects/vite` has to show. */
const expected = {
  account: "0xaaaa00000000000000000000000000000000aaaa",
  proof: true,
  forged: false,
  error: "INPUT_INVALID",
};
const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };
const origin = "http://page.test";

/**
 * Opens the page that a project has built in Chromium.
 *
 * @throws Error when the page shows something else than expected, or the browser complains.
 */
export async function checkPage(project: string): Promise<void> {
  const found = await findChromium();
  const browser = await chromium.launch(found.launch);
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.route("**", async (route) => {
      const { pathname } = new URL(route.request().url());
      const path = join(project, "dist", pathname === "/" ? "index.html" : pathname);
      const contentType = types[extname(path)] ?? "";
      await route.fulfill(existsSync(path) ? { contentType, body: readFileSync(path) } : { status: 404, body: "" });
    });
    await page.goto(`${origin}/`);
    // Ends early if the page's script fails.
    const shown = await Promise.race([
      page.locator("#result:not(:empty)").textContent(),
      page.waitForEvent("pageerror").then((error) => error.message),
    ]);
    if (complaints.length > 0) throw new Error(`Chromium: ${complaints.join("\n")}`);
    if (!isDeepStrictEqual(JSON.parse(shown ?? "null"), expected)) throw new Error(`the page shows ${shown}`);
    console.log(`  Chromium ${browser.version()} shows ${shown}`);
  } finally {
    await browser.close();
    await found[Symbol.asyncDispose]();
  }
}
