import { expect, test } from "vitest";
import { findAxeFaults } from "@vipscore/testkit/findAxeFaults";
import { started } from "@vipscore/testkit/started";
import { openSite, origin } from "./openSite.ts";

const site = started(() => openSite());

/** Opens a page and waits until its scripts run: only they show the search. */
async function open(path: string): Promise<void> {
  await site.page.goto(`${origin}${path}`);
  await site.page.locator("#local-search button").waitFor({ state: "visible" });
}

const paths = ["/", "/operator.html", "/cli/push.html", "/api/@vipscore/snapshot.html", "/404.html"];
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [375, 1440].flatMap((width) => paths.map((path) => ({ colorScheme, width, path }))),
);

test.each(looks)("axe finds nothing serious on $path in $colorScheme at $width pixels", async (look) => {
  const { page } = site;
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: "reduce" });
  await page.setViewportSize({ width: look.width, height: 900 });
  await open(look.path);
  expect(await page.locator("html.dark").count()).toBe(look.colorScheme === "dark" ? 1 : 0);
  const faults = await findAxeFaults(page, 20);
  expect(faults.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width);
});

test("the search finds finalize", async () => {
  const { page } = site;
  await open("/");
  await page.locator("#local-search button").click();
  await page.fill(".VPLocalSearchBox input", "finalize");
  const found = page.locator(".VPLocalSearchBox .result");
  await expect.poll(() => found.count()).toBeGreaterThan(3);
  await page.locator('.VPLocalSearchBox .result[href*="/cli/finalize"]').first().click();
  await page.getByRole("heading", { name: "vipscore finalize" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/cli/finalize.html");
});

test("a page that does not exist leads home", async () => {
  const { page } = site;
  await page.goto(`${origin}/404.html`);
  await page.getByRole("link", { name: "Home page" }).click();
  await page.getByRole("heading", { name: "The first three commands" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("the sidebar shows the name of each entry of a package whole", async () => {
  const { page } = site;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${origin}/api/@vipscore/snapshot.html`);
  const names = page.locator(".VPSidebarItem .text", { hasText: /^core\// });
  const [sidebar, ...boxes] = await Promise.all(
    [page.locator(".VPSidebar"), ...(await names.all())].map((found) => found.boundingBox()),
  );
  expect(boxes.length).toBeGreaterThan(3);
  const end = (sidebar?.x ?? 0) + (sidebar?.width ?? 0);
  const ends = boxes.map((box) => (box === null ? Infinity : box.x + box.width));
  expect(Math.max(...ends)).toBeLessThanOrEqual(end);
});

test("nothing is asked of another host, and the policy refuses nothing of the site", () => {
  expect(site.foreign).toEqual([]);
  expect(site.complaints).toEqual([]);
});
