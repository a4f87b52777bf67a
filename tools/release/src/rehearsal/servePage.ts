import { join } from "node:path";
import type { Page } from "playwright-core";

/**
 * Serves a built page as `http://localhost/` to a page of Chromium, and the JSON files that its template's script wrote after the build.
 *
 * @param built The folder with the page.
 * @param written The folder with the JSON files.
 */
export async function servePage(page: Page, built: string, written: string): Promise<void> {
  // A page without a server may not reach the chain otherwise.
  await page.context().grantPermissions(["local-network-access"]);
  await page.route("http://localhost/**", async (route) => {
    const path = new URL(route.request().url()).pathname.replace(/\/$/, "/index.html");
    await route.fulfill({ path: join(path.endsWith(".json") ? written : built, path) });
  });
}
