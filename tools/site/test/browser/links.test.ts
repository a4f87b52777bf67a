import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtSite } from "../../src/siteConfig.ts";
import { findDeadLinks, findForeignLoads, findForeignStyles, listBuilt, readBuiltPages } from "../builtPages.ts";

const pages = readBuiltPages(builtSite);

it("has a page for each Markdown file", () => {
  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["index.html", "operator.html", "cli/index.html", "cli/push.html", "404.html"]),
  );
});

it("has no dead link", () => {
  const files = new Set(listBuilt(builtSite, ""));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  expect(pages.flatMap((page) => findDeadLinks(page, byPath, files))).toEqual([]);
});

it("loads nothing from another host", () => {
  expect(pages.flatMap(findForeignLoads)).toEqual([]);
  const styles = listBuilt(builtSite, ".css").map((path) => readFileSync(join(builtSite, path), "utf8"));
  expect(styles).not.toEqual([]);
  expect(styles.flatMap(findForeignStyles)).toEqual([]);
});

it("forbids browsers to load anything from another host", () => {
  const lax = pages.filter(({ html }) => {
    const [, policy = ""] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
    const isStrict = policy.startsWith("default-src 'none'; script-src 'self' ");
    return !isStrict || /https?:|\*|script-src[^;]*unsafe/.test(policy);
  });
  expect(lax.map(({ path }) => path)).toEqual([]);
});
