import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme } from "vitepress";
import { docs, sidebar } from "./sidebar.ts";

/** A page of docs/ without its comments: links, and the first sentence of its text. */
function summaryOf(link: string): string {
  const file = join(docs, `${link.endsWith("/") ? `${link}README` : link}.md`);
  const text = readFileSync(file, "utf8").replaceAll(/<!--.*?-->/gs, "");
  // The first paragraph that is neither a heading, a list, a table nor code.
  const paragraph = text.split(/\n\s*\n/).find((part) => /^(?!```)[A-Z`*"]/.test(part.trim())) ?? "";
  return paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/([.:]) .*$/, "$1");
}

/**
 * Returns the site's `llms.txt` (https://llmstxt.org): its pages by section, each with its first sentence.
 *
 * @param base The path below which the site is served, with a slash at both ends.
 */
export function llmsText(title: string, description: string, base: string): string {
  const lines = (items: readonly DefaultTheme.SidebarItem[]): readonly string[] =>
    items.flatMap(({ text = "", link, items: below = [] }) => {
      if (link === undefined || link.startsWith("/api/")) return [];
      const page = `${base}${link.slice(1)}${link.endsWith("/") ? "index" : ""}.html`;
      return [`- [${text}](${page}): ${summaryOf(link)}`, ...lines(below)];
    });
  const sections = sidebar().map(({ text = "", items = [] }) => `## ${text}\n\n${lines(items).join("\n")}\n`);
  return [`# ${title}\n`, `> ${description}\n`, ...sections].join("\n");
}
