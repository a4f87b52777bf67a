import { readdirSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { expect, it } from "vitest";
import { docs, sidebar } from "../../src/sidebar.ts";

function listLinks(items: readonly DefaultTheme.SidebarItem[]): readonly string[] {
  return items.flatMap(({ link, items: children = [] }) => [
    ...(link === undefined ? [] : [link]),
    ...listLinks(children),
  ]);
}

it("leads to each page of docs, once", () => {
  const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && path !== "index.md" && !path.startsWith("api/"))
    .map((path) => `/${path.replace(/(README)?\.md$/, "")}`);
  const links = listLinks(sidebar()).filter((link) => !link.startsWith("/api/"));
  expect(links.toSorted()).toEqual(pages.toSorted());
});

it("leads to the API of each entry of a package", () => {
  const links = listLinks(sidebar()).filter((link) => link.startsWith("/api/"));
  expect(links).toContain("/api/@vipscore/core");
  expect(links).toContain("/api/@vipscore/core/errors");
  expect(links.filter((link) => link.includes("."))).toEqual([]);
});
