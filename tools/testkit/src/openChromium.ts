import { chromium, type Page } from "playwright-core";
import { findChromium } from "./findChromium.ts";

/** An empty page in Chromium. */
export interface OpenChromium extends AsyncDisposable {
  readonly page: Page;
  /** Output and errors of the browser, among them what a policy of the page refused. */
  readonly complaints: readonly string[];
}

/** Starts a Chromium, which ends on disposal. @throws Error like {@link findChromium}. */
export async function openChromium(): Promise<OpenChromium> {
  const found = await findChromium();
  const browser = await chromium.launch(found.launch);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const dispose = async (): Promise<void> => {
    await browser.close();
    await found[Symbol.asyncDispose]();
  };
  return { page, complaints, [Symbol.asyncDispose]: dispose };
}
