import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { openChromium } from "@vipscore/testkit/openChromium";

/** A report in Chromium. */
export interface OpenReport extends AsyncDisposable {
  readonly page: Page;
  /** The URLs of all requests, without the text of blobs. */
  readonly requests: readonly string[];
  /** Output and errors of the browser. */
  readonly complaints: readonly string[];
}

/**
 * Opens a report from a file, as its readers do, and waits until all of its rows are there. `ready`: what a page then has.
 */
export async function openReport(html: string, ready = "html[data-state=ready]"): Promise<OpenReport> {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-report-"));
  const file = join(folder, "report.html");
  await writeFile(file, html);
  const browser = await openChromium();
  const { page, complaints } = browser;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.locator(ready).waitFor({ state: "attached" });
  return {
    page,
    requests,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
