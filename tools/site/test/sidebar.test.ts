import { readdirSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { expect, it } from "vitest";
import { docs, sidebar } from "../src/sidebar.ts";

function listLinks(items: readonly DefaultTheme.SidebarItem[]): readonly string[] {
  return items.flatMap(({ link, items: children = [] }) => [
    ...(link === undefined ? [] : [link]),
    ...listLinks(children),
  ]);
}

it("leads to each page of docs, once", () => {
  const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && path !== "index.md")
    .map((path) => `/${path.replace(/(README)?\.md$/, "")}`);
  expect(listLinks(sidebar()).toSorted()).toEqual(pages.toSorted());
});
