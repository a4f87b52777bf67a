import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openChromium } from "@vipscore/testkit/openChromium";
import { builtSite } from "../../src/siteConfig.ts";

/** Origin at which the browser finds the site: a name that no server has. */
export const origin = "http://site.test";

/** The built site in Chromium. */
export interface OpenSite extends AsyncDisposable {
  readonly page: Page;
  /** The URLs of all requests that did not go to the site; none is sent. */
  readonly foreign: readonly string[];
  /** Output and errors of the browser, among them what the Content Security Policy refused. */
  readonly complaints: readonly string[];
}

/** Opens a browser that answers each request for the site with the built file, and sends nothing. */
export async function openSite(): Promise<OpenSite> {
  if (!existsSync(join(builtSite, "index.html"))) throw new Error("the site is not built: npx nx site @vipscore/site");
  const { page, ...browser } = await openChromium();
  const foreign: string[] = [];
  await page.route("**", async (route) => {
    const { origin: host, pathname } = new URL(route.request().url());
    if (host !== origin) {
      foreign.push(route.request().url());
      await route.abort();
      return;
    }
    const path = join(builtSite, decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    await (existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404, body: "" }));
  });
  return { page, foreign, ...browser };
}
