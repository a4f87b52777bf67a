import { readdirSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { expect, it } from "vitest";
import { llmsText } from "../../src/llmsText.ts";
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

it("llms.txt has each page of docs once, with a sentence", () => {
  const text = llmsText("vipscore", "scores", "/base/");
  const entries = [...text.matchAll(/^- \[.+\]\(\/base\/(.+)\.html\): (.*)$/gm)];
  const links = listLinks(sidebar()).filter((link) => !link.startsWith("/api/"));
  const pages = links.map((link) => (link.endsWith("/") ? `${link}index` : link).slice(1));
  expect(entries.map(([, page]) => page)).toEqual(pages);
  expect(entries.filter(([, , sentence = ""]) => !/^.{10,300}[.:]$/.test(sentence)).map(([line]) => line)).toEqual([]);
  expect(text).toMatch(/^# vipscore\n\n> scores\n\n## Guide\n/);
});

it("leads to the API of each entry of a package", () => {
  const links = listLinks(sidebar()).filter((link) => link.startsWith("/api/"));
  expect(links).toContain("/api/@vipscore/core");
  expect(links).toContain("/api/@vipscore/core/errors");
  expect(links.filter((link) => link.includes("."))).toEqual([]);
});
